import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partManifestFile, type PartManifest } from '@countersign/contracts/part-manifest';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { partNames, type PartName } from '@countersign/contracts/remotes';
import type { SiteConfig } from '@countersign/contracts/site-config';
import type { Change } from '../deploy/change.ts';
import { deployRelease } from '../deploy/deploy-release.ts';
import { integrityOf } from '../platform/file-hash.ts';
import { publishPart, type Published } from '../publish/publish-part.ts';
import { DirectoryStore } from '../store/directory-store.ts';
import { ReleaseStore } from '../store/release-store.ts';
import { writeBuiltPart, type BuiltPart } from './built-part.ts';

/** A directory store in a temporary folder. Disposing of it removes the folder. */
export interface TemporaryStore extends AsyncDisposable {
  readonly store: ReleaseStore;
  readonly objects: DirectoryStore;
  /** Folder of the store. */
  readonly directory: string;
  /** Writes builds into new folders and publishes them. */
  publish(...parts: readonly BuiltPart[]): Promise<readonly Published[]>;
  /** Makes published versions live. */
  deploy(versions: Promotion['versions'], site?: SiteConfig): Promise<ReleaseDocument>;
  /** Makes any change. */
  change(change: Change): Promise<ReleaseDocument>;
}

type Promotion = Extract<Change, { kind: 'promote' }>;

export const sampleSite: SiteConfig = {
  appHost: 'https://app.example',
  siteOrigin: 'https://www.example.com',
  defaultTheme: 'light',
};

const author = { who: 'a test' };

export async function createTemporaryStore(): Promise<TemporaryStore> {
  const root = await mkdtemp(join(tmpdir(), 'release-'));
  const directory = join(root, 'site');
  const objects = new DirectoryStore(directory);
  const store = new ReleaseStore(objects);
  return {
    store,
    objects,
    directory,
    async publish(...parts) {
      const published: Published[] = [];
      for (const part of parts) published.push(await publishBuilt(store, part, root));
      return published;
    },
    deploy: (versions, site = sampleSite) =>
      deployRelease(store, { kind: 'promote', versions }, () => site, author),
    change: (change) => deployRelease(store, change, () => sampleSite, author),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  };
}

/** Writes a build into a new folder below `root` and publishes it. */
export async function publishBuilt(
  store: ReleaseStore,
  part: BuiltPart,
  root: string,
  publishedBy = author.who,
): Promise<Published> {
  const built = await mkdtemp(join(root, 'built-'));
  await writeBuiltPart(built, part);
  return publishPart(store, nameOf(part), built, publishedBy);
}

/**
 * Stores a version, in place of another one of the same name, without the checks of `publish`: as anyone can who has the keys of
 * the store.
 */
export async function storeUnchecked(store: ReleaseStore, part: BuiltPart): Promise<void> {
  const { name, version } = JSON.parse(String(part[partManifestFile])) as PartManifest;
  const files = new Map(Object.entries(part).map(([file, text]) => [file, Buffer.from(text)]));
  const hashes = Object.fromEntries([...files].map(([file, bytes]) => [file, integrityOf(bytes)]));
  await store.removeVersion(name, version);
  await store.objects.remove([`claims/${name}/${version}`]);
  await store.addVersion(name, version, files, {
    publishedAt: new Date(0).toISOString(),
    publishedBy: author.who,
    files: hashes,
  });
}

/** Part name of a manifest. For invalid manifests, which publishing refuses, any part. */
function nameOf(part: BuiltPart): PartName {
  const [, name] = /"name":\s*"([\w-]+)"/.exec(String(part[partManifestFile])) ?? [];
  return partNames.find((known) => known === name) ?? 'mf-pricing';
}
