import type { Browser } from '@playwright/test';
import { hidePage, openPage } from '../driver/open-page.ts';
import { newVisitor, startWatch, visitUntilEnded } from './canary-watch.ts';
import { expect, pricingVersions, type ReleasedSite, test } from './release-test.ts';

test.setTimeout(300_000);

/** Opens the page as a new visitor, presses a button of the fixture, and closes the page. */
async function visitAndPress(browser: Browser, { url }: ReleasedSite): Promise<void> {
  const { context, page } = await newVisitor(browser);
  await openPage(page, url);
  await page.getByRole('button', { name: 'Work', exact: true }).click();
  // Two frames later the browser has measured the click.
  await page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
  expect((await hidePage(page)).status()).toBe(204);
  await context.close();
}

test('watch: a canary whose clicks are slow is rolled back', async ({ browser, released }) => {
  const { fixture, isSlow } = pricingVersions;
  await released.release.promote('mf-pricing', fixture);
  await released.release.canary('mf-pricing', isSlow, 50);
  const watch = await startWatch(released, 'mf-pricing', '--views', '12', '--promote');
  try {
    await visitUntilEnded(watch, () =>
      Promise.all([visitAndPress(browser, released), visitAndPress(browser, released)]),
    );
    expect(watch.code()).toBe(1);
    expect(watch.lines.at(-1)).toMatch(
      new RegExp(
        `^mf-pricing ${isSlow} was rolled back: (\\d+) of \\1 views slow, 0 of \\d+ of the stable version$`,
      ),
    );
  } finally {
    watch.stop();
  }
});
