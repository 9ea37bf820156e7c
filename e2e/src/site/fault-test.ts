import { join } from 'node:path';
import type { RemoteName } from '@countersign/contracts/remotes';
import { test as base } from '@playwright/test';
import { promotion, releaseInto } from './release-into.ts';
import { builtFolder, makeDataDirectory, removeDirectory, serveStore } from './running-site.ts';
import { fixtureThrows, makeFixtures, restamp } from './part-builds.ts';
import { prepareOnce } from './prepare-once.ts';

interface Fault {
  readonly version: string;
  /** Whether the version is a build of the fixture, and not of the remote itself. */
  readonly isFixture?: true;
  /** Text in the build → text that takes its place. */
  readonly replacements?: Readonly<Record<string, string>>;
}

/** How a version differs from the remote's own build, which was live before it. */
const faults = {
  /** Not at all: the network is at fault. */
  none: { version: '90.0.0' },
  /** Loads code and styles late, and throws errors on demand. */
  fixture: { version: '91.0.0', isFixture: true },
  throwsOnRender: { version: '92.0.0', isFixture: true, replacements: fixtureThrows },
  /** Was built for the next React. The range is as webpack writes it: ^19.3.0 becomes ^20.0.0. */
  otherReact: { version: '93.0.0', replacements: { '[1,19,3,0]': '[1,20,0,0]' } },
  /** Its loader sets no integrity attributes, as a build without our plugin does. */
  requestsWithoutHash: {
    version: '94.0.0',
    isFixture: true,
    replacements: { 'integrity=self._FILE_INTEGRITY?.(': 'title=String(' },
  },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;

/** A remote with one slot, and one with several. */
const faultyRemotes = ['mf-pricing', 'mf-content'] as const satisfies readonly RemoteName[];
type FaultyRemote = (typeof faultyRemotes)[number];

interface Release {
  readonly remote: FaultyRemote;
  readonly fault: FaultName;
  readonly releaseId: string;
}

interface FaultyStore {
  /** The version of each remote that was live before the faulty ones. */
  readonly previous: Readonly<Record<FaultyRemote, string>>;
  readonly releases: readonly Release[];
}

/** A page in which a version with a fault is the live version of a remote. */
export interface FaultySite {
  readonly url: string;
  readonly remote: FaultyRemote;
  readonly version: string;
  /** The version that was live before. */
  readonly previous: string;
}

type SiteWith = (remote: FaultyRemote, fault: FaultName) => FaultySite;

/** Tests of a page one of whose parts is broken. */
export const test = base.extend<object, { readonly siteWith: SiteWith }>({
  siteWith: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern.
    async ({}, use, { project }) => {
      // Playwright empties this folder when a run starts.
      const store = join(project.outputDir, 'faulty-store');
      const { previous, releases } = await prepareOnce(store, () => releaseFaults(store));
      const site = await serveStore(store);
      await use((remote, fault) => {
        const release = releases.find((entry) => entry.remote === remote && entry.fault === fault);
        return {
          url: `${site.url}/?release=${release?.releaseId}`,
          remote,
          version: faults[fault].version,
          previous: previous[remote],
        };
      });
      await site.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

export { expect } from '@playwright/test';

/** URLs of the files of a version whose names begin like this. */
export function filesOf({ remote, version }: Pick<FaultySite, 'remote' | 'version'>, name = ''): RegExp {
  return new RegExp(`/${remote}/${version.replaceAll('.', '\\.')}/${name}`);
}

/** Releases each fault of each remote, and rolls it back. Its page stays available by the name of the release. */
async function releaseFaults(store: string): Promise<FaultyStore> {
  const directory = await makeDataDirectory();
  try {
    const release = releaseInto({ DATA_DIR: store });
    const [previous, fixtures] = await Promise.all([
      release.releaseAllParts(),
      makeFixtures(faultyRemotes, directory),
    ]);
    const versions = await Promise.all(
      faultyRemotes.flatMap((remote) =>
        Object.entries<Fault>(faults).map(async ([fault, { version, isFixture, replacements }]) => {
          const built = isFixture ? fixtures[remote] : builtFolder(remote);
          const folder = await restamp(built, directory, version, replacements);
          return { remote, fault: fault as FaultName, version, folder };
        }),
      ),
    );
    await release.runInTurn(versions.map(({ remote, folder }) => ['publish', remote, folder]));
    const printed = await release.runInTurn<{ readonly releaseId: string }>(
      versions.flatMap(({ remote, version }) => [promotion(remote, version), ['rollback', remote]]),
    );
    const releases = versions.map(({ remote, fault }, index) => ({
      remote,
      fault,
      releaseId: printed[2 * index]?.releaseId ?? '',
    }));
    return { previous, releases };
  } finally {
    await removeDirectory(directory);
  }
}
