import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partNames, type RemoteName } from '@countersign/contracts/remotes';
import { test as base } from '@playwright/test';
import { releaseInto } from '../releasing/release-into.ts';
import { builtFolder, removeDirectory, serveStore, type RunningSite } from '../running-site.ts';
import { fixtureThrows, makeFixture } from './make-fixture.ts';
import { restamp } from './restamp.ts';

/** Versions of a remote that went live after a sound one. The page of each stays to be had as `?release=<id>`. */
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

/** A served store in which versions of one remote went live one after the other. */
export interface FaultySite {
  readonly url: string;
  /** The version that was live before each of them. */
  readonly previous: string;
  /** Name of the release in which a version was live. */
  readonly releases: Readonly<Record<FaultyVersion, string>>;
}

interface FaultOptions {
  readonly remote: RemoteName;
}

/** Tests of a page one of whose parts is broken. `remote` says which. */
export const test = base.extend<object, FaultOptions & { readonly faulty: FaultySite }>({
  remote: ['mf-header', { option: true, scope: 'worker' }],
  faulty: [
    async ({ remote }, use) => {
      const directory = await mkdtemp(join(tmpdir(), 'faults-'));
      let site: RunningSite | undefined;
      try {
        const { previous, releases } = await releaseAll(remote, directory);
        site = await serveStore(directory);
        await use({ url: site.url, previous, releases });
      } finally {
        await site?.stop();
        await removeDirectory(directory);
      }
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

export { expect } from '@playwright/test';

async function releaseAll(
  remote: RemoteName,
  directory: string,
): Promise<Pick<FaultySite, 'previous' | 'releases'>> {
  const { publish, promote } = releaseInto({ DATA_DIR: directory });
  const [live, built] = await Promise.all([
    Promise.all(partNames.map(async (part) => [part, await publish(part, builtFolder(part))] as const)),
    makeFixture(remote, directory),
  ]);
  for (const [part, version] of live) await promote(part, version);
  const previous = Object.fromEntries(live)[remote] ?? '';

  const { sound, throwsOnRender, otherReact, asksForNoHash } = faultyVersions;
  await Promise.all(
    [
      restamp(builtFolder(remote), directory, sound),
      restamp(built, directory, faultyVersions.fixture),
      restamp(built, directory, throwsOnRender, fixtureThrows),
      restamp(built, directory, asksForNoHash, { 'integrity=self._FILE_INTEGRITY(': 'title=String(' }),
      restamp(builtFolder(remote), directory, otherReact, {
        // A range as webpack writes it: ^19.3.0 becomes ^20.0.0.
        '[1,19,3,0]': '[1,20,0,0]',
      }),
    ].map(async (folder) => publish(remote, await folder)),
  );

  const releases: [string, string][] = [];
  for (const [name, version] of Object.entries(faultyVersions)) {
    releases.push([name, await promote(remote, version)]);
    await promote(remote, previous);
  }
  return { previous, releases: Object.fromEntries(releases) as Record<FaultyVersion, string> };
}
