import type { Page } from '@playwright/test';
import { expectScrolledTo } from '../expect-scrolled-to.ts';
import { openNavigation } from '../open-navigation.ts';
import { expect, test } from '../page-test.ts';

/** Notes when the splash has gone, in milliseconds since the document started. */
async function watchSplash(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    let seen = false;
    new MutationObserver(() => {
      const splash = document.getElementById('splash');
      if (seen && !splash) document.documentElement.dataset['splashEnd'] ??= String(performance.now());
      seen ||= splash !== null;
    }).observe(document, { childList: true, subtree: true });
  });
  return async () => Number(await page.locator('html').getAttribute('data-splash-end'));
}

test('the splash lasts two seconds from the start of the page, which then stands there whole', async ({
  openSite,
  page,
}) => {
  const splashEnd = await watchSplash(page);
  await openSite();
  // A browser's timer may be early by less than a millisecond.
  expect(await splashEnd()).toBeGreaterThan(1999);
  await expect(page.getByRole('banner')).toBeVisible();
  await expect(page.getByRole('contentinfo')).toBeVisible();
  await expect(page.locator('[aria-busy]')).toHaveCount(0);
});

test('the splash covers the page until its own clock says two seconds, and not longer', async ({
  page,
  site,
}) => {
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await page.goto(site.url);
  await page.getByRole('contentinfo', { includeHidden: true }).waitFor({ state: 'attached' });
  const splash = page.getByRole('status').filter({ hasText: 'Countersign' });
  const age = await page.evaluate(() => performance.now());
  await page.clock.runFor(1999 - Math.ceil(age));
  await expect(splash).toBeVisible();
  expect(await splash.boundingBox()).toEqual({ x: 0, y: 0, ...page.viewportSize() });
  await expect(page.locator('#root')).toHaveAttribute('inert');

  await page.clock.runFor(2);
  await expect(splash).toHaveCount(0);
  await expect(page.locator('#root')).not.toHaveAttribute('inert');
});

test('the splash does not come back on the way to a section', async ({ isMobile, openSite, page }) => {
  await page.addInitScript(() => {
    let splashes = 0;
    new MutationObserver((changes) => {
      const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
      splashes += added.filter((node) => node instanceof Element && node.id === 'splash').length;
      document.documentElement.dataset['splashes'] = String(splashes);
    }).observe(document, { childList: true, subtree: true });
  });
  await openSite('/#pricing');
  await expectScrolledTo(page, 'pricing');

  const navigation = await openNavigation(page, isMobile);
  await navigation.getByRole('link', { name: 'Contact' }).click();
  await expectScrolledTo(page, 'contact');
  await page.goBack();
  await expectScrolledTo(page, 'pricing');
  await expect(page.locator('html')).toHaveAttribute('data-splashes', '1');
});
