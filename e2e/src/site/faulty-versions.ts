import { join } from 'node:path';
import { partNames, type PartName, type RemoteName } from '@countersign/contracts/remotes';
import { test as base } from '@playwright/test';
import { promotion, releaseInto } from './release-into.ts';
import { builtFolder, makeDataDirectory, removeDirectory, serveStore } from './running-site.ts';
import { fixtureThrows, makeFixtures } from './make-fixture.ts';
import { prepareOnce } from './prepare-once.ts';
import { restamp } from './restamp.ts';

/** Versions of a remote that went live after a sound one. Each has a page: `?release=<id>`. */
export const faultyVersions = {
  /** The remote as it is: what is wrong with it is the network's fault. */
  sound: '90.0.0',
  /** Loads code and styles late, and breaks when it is told to. */
  fixture: '91.0.0',
  throwsOnRender: '92.0.0',
  /** Was built for the next React. */
  otherReact: '93.0.0',
  /** Its loader sets no integrity attributes, as a build without our plugin does. */
  asksForNoHash: '94.0.0',
} as const;
export type FaultyVersion = keyof typeof faultyVersions;

/** Addresses of the files of a version whose names begin like this. */
export function filesOf(remote: RemoteName, version: string, name = ''): RegExp {
  return new RegExp(`/${remote}/${version.replaceAll('.', '\\.')}/${name}`);
}

/** A remote with one slot, and one with several. */
const faultyRemotes = ['mf-pricing', 'mf-content'] as const satisfies readonly RemoteName[];
type FaultyRemote = (typeof faultyRemotes)[number];

type ByRemote<Value> = Readonly<Record<FaultyRemote, Value>>;

/** A served store in which versions of one remote went live one after the other. */
export interface FaultySite {
  readonly url: string;
  /** The version that was live before each of them. */
  readonly previous: string;
  /** Name of the release in which a version was live. In that of `sound`, every faulty remote has that version. */
  readonly releases: Readonly<Record<FaultyVersion, string>>;
}

interface FaultFixtures {
  readonly remote: FaultyRemote;
  readonly faulty: FaultySite;
}

/** A served store with the faulty versions of two remotes. */
interface FaultyStore {
  readonly url: string;
  readonly previous: ByRemote<string>;
  readonly releases: ByRemote<FaultySite['releases']>;
}

/** Tests of a page one of whose parts is broken. `remote` says which. */
export const test = base.extend<FaultFixtures, { readonly faultyStore: FaultyStore }>({
  faultyStore: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern.
    async ({}, use, { project }) => {
      // Playwright empties this folder when a run starts.
      const store = join(project.outputDir, 'faulty-store');
      const released = await prepareOnce(store, () => releaseAll(store));
      const site = await serveStore(store);
      await use({ url: site.url, ...released });
      await site.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  remote: ['mf-pricing', { option: true }],
  faulty: async ({ faultyStore: { url, previous, releases }, remote }, use) => {
    await use({ url, previous: previous[remote], releases: releases[remote] });
  },
});

export { expect } from '@playwright/test';

const byRemote = <Value>(valueOf: (remote: FaultyRemote) => Value): ByRemote<Value> =>
  Object.fromEntries(faultyRemotes.map((remote) => [remote, valueOf(remote)])) as Record<FaultyRemote, Value>;

async function releaseAll(store: string): Promise<Omit<FaultyStore, 'url'>> {
  const directory = await makeDataDirectory();
  try {
    return await releaseBuilds(store, directory);
  } finally {
    await removeDirectory(directory);
  }
}

/** @param directory for builds */
async function releaseBuilds(store: string, directory: string): Promise<Omit<FaultyStore, 'url'>> {
  const { readInTurn } = releaseInto({ DATA_DIR: store });
  const [live, fixtures] = await Promise.all([
    readInTurn<{ readonly part: PartName; readonly version: string }>(
      partNames.map((part) => ['publish', part, builtFolder(part)]),
    ),
    makeFixtures(faultyRemotes, directory),
  ]);
  const folders = await Promise.all(
    faultyRemotes.map(async (remote) =>
      (await restampAll(remote, fixtures[remote], directory)).map((folder) => ['publish', remote, folder]),
    ),
  );
  await readInTurn([...folders.flat(), ...live.map(({ part, version }) => promotion(part, version))]);

  const { sound, ...faults } = faultyVersions;
  const deployed = await readInTurn<{
    readonly part: RemoteName;
    readonly version: string;
    readonly releaseId: string;
  }>([
    ...faultyRemotes.flatMap((remote) =>
      Object.values(faults).flatMap((version) => [promotion(remote, version), ['rollback', remote]]),
    ),
    ...faultyRemotes.map((remote) => promotion(remote, sound)),
  ]);
  // The last release has the sound version of every remote.
  const allSound = deployed.at(-1)?.releaseId ?? '';
  const releaseOf = (remote: RemoteName, version: string): string =>
    deployed.find((entry) => entry.part === remote && entry.version === version)?.releaseId ?? '';
  return {
    previous: byRemote((remote) => live.find(({ part }) => part === remote)?.version ?? ''),
    releases: byRemote((remote) => ({
      sound: allSound,
      fixture: releaseOf(remote, faults.fixture),
      throwsOnRender: releaseOf(remote, faults.throwsOnRender),
      otherReact: releaseOf(remote, faults.otherReact),
      asksForNoHash: releaseOf(remote, faults.asksForNoHash),
    })),
  };
}

/** Makes the builds of all {@link faultyVersions} of a remote, from its own build and from the fixture. */
function restampAll(remote: RemoteName, fixture: string, directory: string): Promise<readonly string[]> {
  const { sound, throwsOnRender, otherReact, asksForNoHash } = faultyVersions;
  return Promise.all([
    restamp(builtFolder(remote), directory, sound),
    restamp(fixture, directory, faultyVersions.fixture),
    restamp(fixture, directory, throwsOnRender, fixtureThrows),
    restamp(fixture, directory, asksForNoHash, { 'integrity=self._FILE_INTEGRITY?.(': 'title=String(' }),
    restamp(builtFolder(remote), directory, otherReact, {
      // A range as webpack writes it: ^19.3.0 becomes ^20.0.0.
      '[1,19,3,0]': '[1,20,0,0]',
    }),
  ]);
}
