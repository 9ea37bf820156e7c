import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partManifestFile } from '@countersign/contracts/part-manifest';
import { partNames, type PartName, type RemoteName } from '@countersign/contracts/remotes';
import type { SiteConfig } from '@countersign/contracts/site-config';
import type { Change } from '../deploy/change.ts';
import { deployRelease, type PreDeployCheck } from '../deploy/deploy-release.ts';
import { verifyLive } from '../deploy/verify-live.ts';
import { publishPart, type Published } from '../deploy/publish-part.ts';
import { DirectoryStore } from '../store/directory-store.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { ReleaseStore } from '../store/release-store.ts';
import type { Attribution } from '../store/stored-documents.ts';
import type { Versions } from '../store/versions.ts';
import { builtRemote, builtShell, writeBuiltPart, type BuiltPart } from './built-part.ts';
import { startObjectServer } from './object-server.ts';

type Environment = Readonly<Record<string, string>>;

/** A store of a test. Disposing of it removes the store and its folder. */
export type TestStore<Objects extends ObjectStore = ObjectStore> = ReturnType<typeof testStore<Objects>>;

export const sampleSiteConfig: SiteConfig = {
  appHost: 'https://app.example',
  siteOrigin: 'https://www.example.com',
  defaultTheme: 'light',
};

const attribution = { who: 'a test' };

export type TemporaryStore = Awaited<ReturnType<typeof createTemporaryStore>>;

/** A directory store without versions, with its folder. */
export async function createTemporaryStore() {
  const root = await createRoot();
  const data = join(root, 'data');
  const directory = join(data, 'site');
  return { ...testStore(new DirectoryStore(directory), root, { DATA_DIR: data }), directory };
}

export type TemporaryBucket = Awaited<ReturnType<typeof createTemporaryBucket>>;

/** A bucket without versions. */
export async function createTemporaryBucket() {
  const root = await createRoot();
  // The page size of a real server, because tests list thousands of times.
  const server = await startObjectServer(1000);
  const { origin, through } = server;
  const bucket = testStore(server.objects, root, server.environment);
  return {
    ...bucket,
    origin,
    through,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await bucket[Symbol.asyncDispose]();
    },
  };
}

/** Creates an empty store of each kind. */
export const storeKinds: Readonly<Record<string, () => Promise<TestStore>>> = {
  directory: createTemporaryStore,
  bucket: createTemporaryBucket,
};

/** The HTML of a page at the root of the site. */
export const pageOf = async (site: TestStore, name = 'index.html') => (await site.currentPage(name)).html;

/** A directory store in which minimal builds of versions were made live, one step after the other. */
export async function createLiveSite(...steps: readonly Versions[]): Promise<TemporaryStore> {
  const site = await createTemporaryStore();
  for (const versions of steps) await site.release(versions);
  return site;
}

/** A directory store in which these builds were made live. */
export async function createSiteOf(...parts: readonly BuiltPart[]): Promise<TemporaryStore> {
  const site = await createTemporaryStore();
  const published = await site.publish(...parts);
  await site.deploy(Object.fromEntries(published.map(({ manifest: { name, version } }) => [name, version])));
  return site;
}

/** The folder of a test, with an owners' file that allows everything. */
async function createRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'release-'));
  await writeFile(join(root, 'owners.json'), '{ "*": ["*"] }');
  return root;
}

/** Operations of tests on a store of any kind. */
function testStore<Objects extends ObjectStore>(objects: Objects, root: string, environment: Environment) {
  const store = new ReleaseStore(objects);
  const build = async (part: BuiltPart) => {
    const folder = await mkdtemp(join(root, 'built-'));
    await writeBuiltPart(folder, part);
    return folder;
  };
  const publish = async (...parts: readonly BuiltPart[]) => {
    const published: Published[] = [];
    for (const part of parts)
      published.push(await publishPart(store, partNameOf(part), await build(part), attribution.who));
    return published;
  };
  const deploy = (versions: Versions, site = sampleSiteConfig) =>
    deployRelease(store, { kind: 'promote', versions }, () => site, attribution);
  return {
    store,
    objects,
    /** Temporary folder of the test. */
    root,
    /** Environment variables of a command that uses the store. */
    environment: { ...environment, OWNERS_FILE: join(root, 'owners.json') } as Environment,
    /** Writes a build into a new folder, and returns its path. */
    build,
    publish,
    deploy,
    /** Publishes minimal builds of these versions and makes them live. */
    async release({ shell, ...remotes }: Versions) {
      if (shell !== undefined) await publish(builtShell(shell));
      const builds = Object.entries(remotes) as [RemoteName, string][];
      await publish(...builds.map(([name, version]) => builtRemote(name, version)));
      return deploy({ ...(shell !== undefined && { shell }), ...remotes });
    },
    change: (change: Change, by: Attribution = attribution, check?: PreDeployCheck) =>
      deployRelease(store, change, () => sampleSiteConfig, by, check),
    /** A page at the root of the site, and its release ID. A site server of a bucket shows the pages that `live.json` names. */
    async currentPage(name: string) {
      const { release } = await store.liveStore.require();
      const found = await store.visiblePages(release).read(name);
      if (!found) throw new Error(`No ${name} is served.`);
      const html = new TextDecoder().decode(found);
      return { html, releaseId: /"releaseId":"(r-[0-9a-f]{12})"/.exec(html)?.[1] };
    },
    /** All changes, oldest first. */
    history: async () =>
      (await Array.fromAsync(store.liveStore.history(await store.liveStore.require()))).toReversed(),
    /** Error messages of `status --verify`. */
    verify: async () => (await verifyLive(store)).errors,
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  };
}

/** A site whose store is reached in another way, such as one that fails. */
export const withObjects = ({ root, environment }: TestStore, objects: ObjectStore): TestStore =>
  testStore(objects, root, environment);

/** Part name of a manifest. For invalid manifests, which publishing refuses, any part. */
function partNameOf(part: BuiltPart): PartName {
  const [, name] = /"name":\s*"([\w-]+)"/.exec(String(part[partManifestFile])) ?? [];
  return partNames.find((known) => known === name) ?? 'mf-pricing';
}
