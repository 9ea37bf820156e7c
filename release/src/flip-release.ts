import { createHash } from 'node:crypto';
import {
  partManifest,
  partManifestFile,
  partVersionName,
  type ChunkFiles,
} from '@countersign/contracts/part-manifest';
import {
  releaseDocument,
  type Asset,
  type ChunkAssets,
  type ReleaseDocument,
  type RemoteRelease,
  type RemoteVersion,
} from '@countersign/contracts/release-document';
import { remoteNames, type PartName, type RemoteName } from '@countersign/contracts/remotes';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { composePages } from './compose-pages.ts';
import { ReleaseFault } from './release-fault.ts';
import type { FileHashes, ReleaseStore } from './release-store.ts';

/** Part → version to make live. */
export type Flip = Readonly<Partial<Record<PartName, string>>>;

/**
 * Makes published versions live in one step, and keeps for each changed remote the version before it, except after a
 * rollback: the version that was taken off the page is not kept. Also composes the page anew, so that a changed
 * configuration shows. Throws a {@link ReleaseFault} when a version is not published or no shell is live.
 */
export async function flipRelease(
  store: ReleaseStore,
  flip: Flip,
  site: SiteConfig,
): Promise<ReleaseDocument> {
  const live = await store.readLive();
  const shell = flip.shell ? await readShell(store, flip.shell) : live?.shell;
  if (!shell) throw new ReleaseFault('No shell is live yet. Publish and promote the shell first.');

  const remotes: ReleaseDocument['remotes'] = {};
  // Always in the same order, since the name of the release is made from it.
  for (const name of remoteNames) {
    const before = live?.remotes[name];
    const version = flip[name];
    const remote = version ? succeed(before, await readRemote(store, name, version)) : before;
    if (remote) remotes[name] = remote;
  }
  const content = { schemaVersion: 1, shell, remotes } as const;
  const document = releaseDocument.parse({ ...content, releaseId: releaseIdOf(content) });

  await composePages(store, document, site);
  await store.writeLive(document);
  return document;
}

function succeed(before: RemoteRelease | undefined, next: RemoteVersion): RemoteRelease {
  if (!before || before.live.version === next.version) return { ...before, live: next };
  // A rollback. What it takes off the page has failed, and must not be what browsers fall back to.
  if (before.previous?.version === next.version) return { live: next };
  return { live: next, previous: before.live };
}

/** The same state of the page has the same name, however it came about. */
function releaseIdOf(content: Omit<ReleaseDocument, 'releaseId'>): string {
  return `r-${createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 12)}`;
}

async function readShell(store: ReleaseStore, version: string): Promise<ReleaseDocument['shell']> {
  const { manifest, assets } = await readVersion(store, 'shell', version);
  return { version, ...assets(manifest.entry) };
}

async function readRemote(store: ReleaseStore, name: RemoteName, version: string): Promise<RemoteVersion> {
  const { manifest, assets } = await readVersion(store, name, version);
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
  };
}

async function readVersion(store: ReleaseStore, part: PartName, version: string) {
  // It becomes part of a path.
  if (!partVersionName.safeParse(version).success) {
    throw new ReleaseFault(`"${version}" is no version. Name one such as 1.2.3 or 1.2.3-rc.1.`);
  }
  const hashes = await store.hashesOf(part, version);
  if (!hashes) throw new ReleaseFault(`${part} ${version} is not published. Publish it, then promote it.`);
  const manifest = partManifest.parse(JSON.parse(await store.readFile(part, version, partManifestFile)));
  if (manifest.name !== part || manifest.version !== version) {
    throw new ReleaseFault(
      `What is stored as ${part} ${version} is ${manifest.name} ${manifest.version}. Publish ${part} again under a new version.`,
    );
  }
  const toAsset = (file: string): Asset => ({
    url: `/${part}/${version}/${file}`,
    integrity: hashFor(hashes, file, part, version),
  });
  const assets = ({ scripts, styles }: ChunkFiles): ChunkAssets => ({
    scripts: scripts.map(toAsset),
    styles: styles.map(toAsset),
  });
  return { manifest, assets };
}

function hashFor(hashes: FileHashes, file: string, part: string, version: string): string {
  const hash = hashes[file];
  if (!hash)
    throw new ReleaseFault(
      `${part} ${version} has no hash for ${file}. Publish it again under a new version.`,
    );
  return hash;
}
