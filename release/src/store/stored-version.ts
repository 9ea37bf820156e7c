import {
  partManifest,
  partManifestFile,
  partVersionName,
  publicFolder,
  type ChunkFiles,
  type PartManifest,
} from '@countersign/contracts/part-manifest';
import type {
  Asset,
  ChunkAssets,
  ReleaseDocument,
  RemoteVersion,
} from '@countersign/contracts/release-document';
import type { PartName, RemoteName } from '@countersign/contracts/remotes';
import { ReleaseFault } from '../release-fault.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import type { FileHashes } from '../store/stored-documents.ts';

/** A stored version of the shell, as a release document names it. */
export async function readShell(store: ReleaseStore, version: string): Promise<ReleaseDocument['shell']> {
  const { manifest, assets, later } = await readVersion(store, 'shell', version);
  return { version, ...assets(manifest.entry), ...later };
}

/** A stored version of a remote, as a release document names it. */
export async function readRemote(
  store: ReleaseStore,
  name: RemoteName,
  version: string,
): Promise<RemoteVersion> {
  return describeRemote(await readVersion(store, name, version));
}

/** A version of a remote, wherever its files are, as a release document names it. */
export function describeRemote({ manifest, assets, later }: ReadVersion): RemoteVersion {
  const { name, version } = manifest;
  const [entry] = assets(manifest.entry).scripts;
  if (!entry || !manifest.globalName) {
    throw new ReleaseFault(
      `${name} ${version} has no entry. Build and publish it again under a new version.`,
    );
  }
  return {
    version,
    globalName: manifest.globalName,
    entry,
    exposes: Object.fromEntries(Object.entries(manifest.exposes).map(([key, files]) => [key, assets(files)])),
    ...(manifest.hydration ? { hydration: manifest.hydration } : {}),
    ...later,
  };
}

/**
 * The manifest of a version, its files' addresses with their hashes, and the code that the manifest does not name: it
 * loads by itself later, and a visitor's browser must know what it hashes to.
 */
export interface ReadVersion {
  readonly manifest: PartManifest;
  readonly assets: (files: ChunkFiles) => ChunkAssets;
  readonly later: { later?: ChunkAssets };
}

/** Reads a stored version. Throws a {@link ReleaseFault} where there is none, or another. */
export async function readVersion(
  store: ReleaseStore,
  part: PartName,
  version: string,
): Promise<ReadVersion> {
  assertVersionName(version);
  const hashes = await store.hashesOf(part, version);
  if (!hashes) throw new ReleaseFault(`${part} ${version} is not published. Publish it, then promote it.`);
  const manifest = partManifest.parse(JSON.parse(await store.readFile(part, version, partManifestFile)));
  if (manifest.name !== part || manifest.version !== version) {
    throw new ReleaseFault(
      `What is stored as ${part} ${version} is ${manifest.name} ${manifest.version}. Publish ${part} again under a new version.`,
    );
  }
  return describeFiles(manifest, hashes, `/${part}/${version}/`);
}

/** Throws a {@link ReleaseFault} for a name that must not become part of a path. */
export function assertVersionName(version: string): void {
  if (!partVersionName.safeParse(version).success) {
    throw new ReleaseFault(`"${version}" is no version. Name one such as 1.2.3 or 1.2.3-rc.1.`);
  }
}

/** @param prefix what stands before the name of each file in its address */
export function describeFiles(manifest: PartManifest, hashes: FileHashes, prefix: string): ReadVersion {
  const { name, version } = manifest;
  const toAsset = (file: string): Asset => ({
    url: `${prefix}${file}`,
    integrity: hashFor(hashes, file, name, version),
  });
  const assets = ({ scripts, styles }: ChunkFiles): ChunkAssets => ({
    scripts: scripts.map(toAsset),
    styles: styles.map(toAsset),
  });
  const { scripts, styles } = unnamedCode(manifest, hashes);
  const later = scripts.length + styles.length > 0 ? { later: assets({ scripts, styles }) } : {};
  return { manifest, assets, later };
}

function unnamedCode({ entry, exposes }: PartManifest, hashes: FileHashes): ChunkFiles {
  const named = [entry, ...Object.values(exposes)].flatMap(({ scripts, styles }) => [...scripts, ...styles]);
  const others = Object.keys(hashes).filter(
    (file) => !named.includes(file) && !file.startsWith(publicFolder),
  );
  return {
    scripts: others.filter((file) => file.endsWith('.js')),
    styles: others.filter((file) => file.endsWith('.css')),
  };
}

function hashFor(hashes: FileHashes, file: string, part: string, version: string): string {
  const hash = hashes[file];
  if (!hash)
    throw new ReleaseFault(
      `${part} ${version} has no hash for ${file}. Publish it again under a new version.`,
    );
  return hash;
}
