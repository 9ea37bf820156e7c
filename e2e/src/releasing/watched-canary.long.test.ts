import { once } from 'node:events';
import type { Browser } from '@playwright/test';
import { hidePage, openPage } from '../driver/open-page.ts';
import { releaseBroken, releaseCommand, startProgram, waitForLine } from '../site/running-site.ts';
import { expect, pricingVersions, type ReleasedSite, test } from './release-test.ts';
import { slotsOf } from '../driver/landing-page.ts';

/** Opens the page as a new visitor and leaves. The stable version shows in any case, because it replaces a canary that throws. */
async function visit(browser: Browser, { url, stable }: ReleasedSite): Promise<void> {
  await using context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await openPage(page, url);
  await expect(slotsOf(page, 'mf-pricing')).toHaveAttribute('data-version', stable);
  expect((await hidePage(page)).status()).toBe(204);
}

test('watch: a canary that throws in the page is rolled back', async ({ browser, released }) => {
  const { throwsOnRender } = pricingVersions;
  await released.release.run(...releaseBroken('canary', 'mf-pricing', throwsOnRender, '--percent', '50'));
  const words = ['watch', 'mf-pricing', '--interval', '1', '--views', '1000', '--promote'];
  const watch = startProgram([releaseCommand, ...words], { variables: released.variables });
  try {
    const lines: string[] = [];
    const closed = once(watch, 'close');
    await waitForLine(watch, /^canary: by the last 7 days of /, lines);
    while (watch.exitCode === null) await Promise.all([visit(browser, released), visit(browser, released)]);
    await closed;
    expect(lines.at(-1)).toMatch(
      new RegExp(`^mf-pricing ${throwsOnRender} was rolled back: (\\d+) of \\1 views failed, 0 of \\d+ of`),
    );
  } finally {
    watch.kill();
  }
  expect(await released.release.status('mf-pricing')).toEqual({ live: released.stable, canary: undefined });
});
