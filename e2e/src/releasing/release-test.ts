import { test as base } from '@playwright/test';
import { copyReleasedSite, fixtureAs, restamp, throwsOnRender } from '../site/site-test.ts';
import {
  builtFolder,
  releaseInto,
  type ReleaseInto,
  removeDirectory,
  type RunningSite,
  startSite,
} from '../site/running-site.ts';

/** Stored versions of mf-pricing, none of which is live when a test begins. */
export const pricingVersions = {
  /** Without faults, like the live one. */
  good: '80.0.0',
  throwsOnRender: throwsOnRender.version,
} as const;

/** A site with its real lead service, into which a test releases. */
export interface ReleasedSite extends RunningSite {
  /** Settings that the site and the release command share. */
  readonly variables: Readonly<Record<string, string>>;
  /** The version of mf-pricing that is live when a test begins. */
  readonly stable: string;
  readonly release: ReleaseInto;
}

interface ReleaseFixtures {
  /** The site with the first release restored, without a canary and without a version before. */
  readonly released: ReleasedSite;
}

interface ReleaseWorkerFixtures {
  /** The site of a worker, as its earlier tests have left it. */
  readonly workerSite: ReleasedSite;
}

/** Tests of releases, with the real site, lead service and release commands. */
export const test = base.extend<ReleaseFixtures, ReleaseWorkerFixtures>({
  workerSite: [
    async ({}, use, { project }) => {
      const directory = await copyReleasedSite(project.outputDir);
      let site: RunningSite | undefined;
      try {
        const variables = { DATA_DIR: directory };
        site = await startSite(directory);
        const release = releaseInto(variables);
        const stable = await publishVersions(release, directory, project.outputDir);
        await use({ ...site, variables, stable, release });
      } finally {
        await site?.stop();
        await removeDirectory(directory);
      }
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  released: async ({ workerSite }, use, testInfo) => {
    // Releases of these tests run the check, which takes minutes on a busy machine.
    testInfo.setTimeout(600_000);
    const { release, stable } = workerSite;
    // A rollback leaves no previous version. With one, a promotion of that version would count as a rollback.
    await release.run('rollback', 'mf-pricing', stable);
    await use(workerSite);
  },
});

export { expect } from '@playwright/test';

async function publishVersions(
  release: ReleaseInto,
  directory: string,
  outputDirectory: string,
): Promise<string> {
  const built = builtFolder('mf-pricing');
  const fixture = await fixtureAs('mf-pricing', outputDirectory);
  const folders = await Promise.all([
    restamp(built, directory, pricingVersions.good),
    restamp(fixture, directory, throwsOnRender.version, throwsOnRender.replacements),
  ]);
  await release.runInTurn(folders.map((folder) => ['publish', 'mf-pricing', folder]));
  return (await release.status('mf-pricing')).live;
}
