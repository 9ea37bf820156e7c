import { expect, test } from '@playwright/test';
import { makeFixtures } from '../site/part-builds.ts';
import { releaseInto } from '../site/release-into.ts';
import { builtFolder, makeDataDirectory, removeDirectory } from '../site/running-site.ts';

interface Violation {
  readonly rule: string;
  readonly sentence: string;
}

/** Checks a build of the fixture against the real shell, and returns the violations, without those of its global style. */
async function check(options: { withIntegrity?: boolean } = {}): Promise<readonly Violation[]> {
  const directory = await makeDataDirectory();
  try {
    const release = releaseInto({ DATA_DIR: directory });
    await release.promote('shell', await release.publish('shell', builtFolder('shell')));
    const fixtures = await makeFixtures(['mf-pricing'], directory, options);
    const version = await release.publish('mf-pricing', fixtures['mf-pricing']);
    const { findings } = await release
      .read<{ findings: readonly Violation[] }>('check', 'mf-pricing', version)
      .catch(
        // A check with violations fails.
        ({ stdout }: { stdout: string }) => (JSON.parse(stdout) as [{ findings: readonly Violation[] }])[0],
      );
    return findings.filter(({ rule }) => rule !== 'scoped-styles');
  } finally {
    await removeDirectory(directory);
  }
}

test('check: a part with a lazy chunk passes', async () => {
  expect(await check()).toEqual([]);
});

test('check: a webpack build without integrity is refused, chunk by chunk', async () => {
  const violations = await check({ withIntegrity: false });
  expect(violations.map(({ rule }) => rule)).toEqual(['complete-integrity', 'rendered-page']);
  const [lazy, rendered] = violations.map(({ sentence }) => sentence);
  expect(lazy).toMatch(/^mf-pricing 0\.0\.0-fixture holds \S+\.js and \S+\.css, whose hashes stand nowhere/);
  expect(rendered).toMatch(/browsers refuse under the page's policy: \S+ .*\(requested without a hash\)/);
});
