import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pageReportPath } from '@countersign/contracts/part-event';
import { releaseDocument } from '@countersign/contracts/release-document';
import type { Browser } from '@playwright/test';
import { pretendHidden, recordReports, reportsOfParts } from '../driver/open-page.ts';
import {
  builtFolder,
  releaseBroken,
  releaseCommand,
  startProgram,
  waitForLine,
} from '../site/running-site.ts';
import { restamp } from '../site/site-test.ts';
import { expect, type ReleasedSite, test } from './release-test.ts';

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
  await released.release.run(...releaseBroken('canary', 'shell', '95.0.0', '--percent', '50'));
  const words = ['watch', 'shell', '--interval', '1', '--views', '1000', '--promote'];
  const watch = startProgram([releaseCommand, ...words], { variables: released.variables });
  try {
    const lines: string[] = [];
    const closed = once(watch, 'close');
    await waitForLine(watch, /^canary: by the last 7 days of /, lines);
    while (watch.exitCode === null)
      await Promise.all([visitTwice(browser, released), visitTwice(browser, released)]);
    await closed;
    expect(lines.at(-1)).toMatch(/^shell 95\.0\.0 was rolled back: (\d+) of \1 views failed, 0 of \d+ of/);
  } finally {
    watch.kill();
  }
  const { release } = await released.release.run<{ readonly release: unknown }>('status');
  expect(releaseDocument.parse(release).shell.canary).toBeUndefined();
});
