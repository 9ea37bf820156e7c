import type { Journeys } from '@countersign/contracts/journeys';
import {
  partManifest,
  partManifestFile,
  partVersionName,
  developmentFolder,
  previewStylesFile,
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
import { ReleaseError } from '../platform/release-error.ts';
import type { ReleaseStore } from './release-store.ts';
import type { FileHashes } from './stored-documents.ts';

/** Reads the files of published versions. */
export type VersionReader = Pick<ReleaseStore, 'hashesOf' | 'readBytes' | 'readFile'>;

/** Reads a stored version of the shell, in the form of the release document. */
export async function readShell(store: VersionReader, version: string): Promise<ReleaseDocument['shell']> {
  const { manifest, assetsOf, lazyChunks } = await readVersion(store, 'shell', version);
  return { version, ...assetsOf(manifest.entry), ...(lazyChunks && { later: lazyChunks }) };
}

/** Reads a stored version of a remote, in the form of the release document. */
export async function readRemote(
  store: VersionReader,
  name: RemoteName,
  version: string,
): Promise<RemoteVersion> {
  const { manifest, assetsOf, lazyChunks } = await readVersion(store, name, version);
  const [entry] = assetsOf(manifest.entry).scripts;
  if (!entry || !manifest.globalName) {
    throw new ReleaseError(
      `${name} ${version} has no entry. Build and publish it again under a new version.`,
    );
  }
  return {
    version,
    globalName: manifest.globalName,
    entry,
    exposes: Object.fromEntries(
      Object.entries(manifest.exposes).map(([key, files]) => [key, assetsOf(files)]),
    ),
    ...(manifest.hydration ? { hydration: manifest.hydration } : {}),
    ...(lazyChunks && { later: lazyChunks }),
  };
}

/**
 * Reads the manifest and hashes of a stored version. `assetsOf` turns its files into URLs with integrity. Throws a {@link ReleaseError}
 * if the version is missing.
 */
export async function readVersion(store: VersionReader, part: PartName, version: string) {
  assertVersionName(version);
  const hashes = await store.hashesOf(part, version);
  if (!hashes) throw new ReleaseError(`${part} ${version} is not published. Publish it, then promote it.`);
  const manifest = partManifest.parse(JSON.parse(await store.readFile(part, version, partManifestFile)));
  const toAsset = (file: string): Asset => {
    const integrity = hashes[file];
    if (integrity) return { url: `/${part}/${version}/${file}`, integrity };
    throw new ReleaseError(
      `${part} ${version} has no hash for ${file}. Publish it again, which restores its files.`,
    );
  };
  const assetsOf = ({ scripts, styles }: ChunkFiles): ChunkAssets => ({
    scripts: scripts.map(toAsset),
    styles: styles.map(toAsset),
  });
  // Code that neither the entry nor an exposed key names, because the part loads it on demand. Release documents call it `later`.
  const { scripts, styles } = lazyChunkFiles(manifest, hashes);
  const lazyChunks = scripts.length + styles.length > 0 ? assetsOf({ scripts, styles }) : undefined;
  return { manifest, hashes, assetsOf, lazyChunks };
}

/** The journeys of a stored version. */
export async function readJourneys(store: VersionReader, part: PartName, version: string): Promise<Journeys> {
  return (await readVersion(store, part, version)).manifest.journeys ?? {};
}

/** Throws a {@link ReleaseError} for an invalid version, which must not become part of a path. */
export function assertVersionName(version: string): void {
  if (!partVersionName.safeParse(version).success) {
    throw new ReleaseError(`Invalid version "${version}". Use one such as 1.2.3 or 1.2.3-rc.1.`);
  }
}

/** The chunks that a manifest lists: the entry and what each exposed key needs at once. */
export function initialChunks({ entry, exposes }: PartManifest): readonly ChunkFiles[] {
  return [entry, ...Object.values(exposes)];
}

/** Prefixes of files of the shell that its code never loads, so none of them is a lazy chunk. */
const neverLazy = [publicFolder, developmentFolder, previewStylesFile];

function lazyChunkFiles(manifest: PartManifest, hashes: FileHashes): ChunkFiles {
  const initial = initialChunks(manifest).flatMap(({ scripts, styles }) => [...scripts, ...styles]);
  const others = Object.keys(hashes).filter(
    (file) => !initial.includes(file) && !neverLazy.some((prefix) => file.startsWith(prefix)),
  );
  return {
    scripts: others.filter((file) => file.endsWith('.js')),
    styles: others.filter((file) => file.endsWith('.css')),
  };
}
