import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pageReportPath } from '@countersign/contracts/part-event';
import { releaseDocument } from '@countersign/contracts/release-document';
import type { Browser } from '@playwright/test';
import { pretendHidden, recordReports, reportsOfParts } from '../driver/open-page.ts';
import { builtFolder } from '../site/running-site.ts';
import { restamp } from '../site/site-test.ts';
import { expect, type ReleasedSite, test } from './release-test.ts';
import { watchUntilRolledBack } from './watch-until-rolled-back.ts';

/** Opens the page twice as a new visitor. Returns what each view reports about the shell. */
async function visitTwice(browser: Browser, { url }: ReleasedSite) {
  await using context = await browser.newContext();
  const page = await context.newPage();
  const reports = await recordReports(page);
  const ofShell = () => reportsOfParts(reports).filter(({ part }) => part === 'shell');
  const view = async () => {
    const answered = page.waitForResponse((response) => response.url().endsWith(pageReportPath));
    await page.goto(url);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await pretendHidden(page);
    expect((await answered).status()).toBe(204);
  };
  await view();
  const first = ofShell();
  await view();
  return [first, ofShell()];
}

/** Publishes the built shell as another version, of which the script begins with a text. */
async function publishShell({ release, variables }: ReleasedSite, version: string, start = '') {
  const folder = await restamp(builtFolder('shell'), variables['DATA_DIR'] ?? '', version);
  const [script = ''] = (await readdir(folder)).filter((name) => /^shell\.\w+\.js$/.test(name));
  await writeFile(join(folder, script), start + (await readFile(join(folder, script), 'utf8')));
  await release.publish('shell', folder);
}

test('shell canary: shown from the second view on, and reported as such', async ({ browser, released }) => {
  await publishShell(released, '94.0.0');
  await released.release.run('canary', 'shell', '94.0.0', '--percent', '100');
  const report = { part: 'shell', version: '94.0.0', group: 'canary', measure: 'viewed' };
  expect(await visitTwice(browser, released)).toEqual([[], [report]]);
  await released.release.run('rollback', 'shell');
});

test('watch: a shell that throws at its start is rolled back', async ({ browser, released }) => {
  await publishShell(released, '95.0.0', 'throw new Error("a broken shell");');
  await watchUntilRolledBack(released, 'shell', '95.0.0', () => visitTwice(browser, released));
  const { release } = await released.release.run<{ readonly release: unknown }>('status');
  expect(releaseDocument.parse(release).shell.canary).toBeUndefined();
});
