import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { fixtureFault, makeFixtures, restamp } from '../site/site-test.ts';
import {
  builtFolder,
  makeDataDirectory,
  releaseInto,
  type ReleaseInto,
  removeDirectory,
} from '../site/running-site.ts';

interface Violation {
  readonly rule: string;
  readonly message: string;
}

let directory = '';
let built = '';
let release: ReleaseInto;
test.beforeAll(async () => {
  directory = await makeDataDirectory();
  built = (await makeFixtures(['mf-pricing'], directory))['mf-pricing'];
  release = releaseInto({ DATA_DIR: join(directory, 'data') });
  await release.promote('shell', await release.publish('shell', builtFolder('shell')));
});
test.afterAll(() => removeDirectory(directory));

/** Violations that the check reports for a build of the fixture against the real shell, without those of its global style. */
async function check(folder: string): Promise<readonly Violation[]> {
  const version = await release.publish('mf-pricing', folder);
  const { violations } = await release
    .run<{ violations: readonly Violation[] }>('check', 'mf-pricing', version)
    .catch(
      // A check with violations fails.
      ({ stdout }: { stdout: string }) => (JSON.parse(stdout) as [{ violations: readonly Violation[] }])[0],
    );
  return violations.filter(({ rule }) => rule !== 'scoped-styles');
}

test('check: a part with a lazy chunk passes', async () => {
  expect(await check(built)).toEqual([]);
});

test('check: a webpack build without integrity is refused, chunk by chunk', async () => {
  const folders = await makeFixtures(['mf-pricing'], directory, { withIntegrity: false });
  const violations = await check(await restamp(folders['mf-pricing'], directory, '0.1.0'));
  expect(violations.map(({ rule }) => rule)).toEqual(['complete-integrity', 'rendered-page']);
  const [lazy, rendered] = violations.map(({ message }) => message);
  expect(lazy).toMatch(/^mf-pricing 0\.1\.0 holds \S+\.js and \S+\.css, whose hashes stand nowhere/);
  expect(rendered).toMatch(/browsers refuse under the page's policy: \S+ .*\(requested without a hash\)/);
});

for (const [version, what, words, message] of [
  [
    '1.0.0',
    'throws in an effect',
    fixtureFault('throws in an effect'),
    /does not come to life in the live shell \(.*An effect of the fixture is broken/,
  ],
  [
    '1.1.0',
    'renders another text in some time zones',
    fixtureFault('depends on the time zone'),
    /renders something else in the page than in its fragments .*, for a visitor with .* the time of Kiritimati\./,
  ],
] as const) {
  test(`check: a part that ${what} is refused`, async () => {
    const violations = await check(await restamp(built, directory, version, words));
    expect(violations.map(({ rule }) => rule)).toEqual(['rendered-page']);
    expect(violations[0]?.message).toMatch(message);
  });
}
