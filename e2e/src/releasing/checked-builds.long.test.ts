import { expect, test } from '@playwright/test';
import { fixtureDependsOnTime, fixtureThrowsInEffect, makeFixtures, restamp } from '../site/part-builds.ts';
import { releaseInto } from '../site/release-into.ts';
import { builtFolder, makeDataDirectory, removeDirectory } from '../site/running-site.ts';

interface Violation {
  readonly rule: string;
  readonly sentence: string;
}

/**
 * Violations that the check reports for a build of the fixture against the real shell, without those of its global style.
 *
 * @param faults replacements in the build
 */
async function check(
  options: { withIntegrity?: boolean } = {},
  faults?: Readonly<Record<string, string>>,
): Promise<readonly Violation[]> {
  const directory = await makeDataDirectory();
  try {
    const release = releaseInto({ DATA_DIR: directory });
    await release.promote('shell', await release.publish('shell', builtFolder('shell')));
    const fixtures = await makeFixtures(['mf-pricing'], directory, options);
    const built = fixtures['mf-pricing'];
    const folder = faults ? await restamp(built, directory, '1.0.0', faults) : built;
    const version = await release.publish('mf-pricing', folder);
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

for (const [what, words, message] of [
  [
    'throws in an effect',
    fixtureThrowsInEffect,
    /does not come to life in the live shell \(.*An effect of the fixture is broken/,
  ],
  [
    'renders another text in some time zones',
    fixtureDependsOnTime,
    /renders something else in the page than in its fragments .*, for a visitor with .* the time of Kiritimati\./,
  ],
] as const) {
  test(`check: a part that ${what} is refused`, async () => {
    const violations = await check({}, words);
    expect(violations.map(({ rule }) => rule)).toEqual(['rendered-page']);
    expect(violations[0]?.sentence).toMatch(message);
  });
}
