import type { Page } from '@playwright/test';
import { openNavigation } from '../driver/landing-page.ts';
import { expect, test } from '../site/page-test.ts';

const overlayText = 'Empowering your documents...';

/** Whether the loading screen covers every corner of the window. */
async function isCovered(page: Page): Promise<boolean> {
  return page.evaluate((text) => {
    // An open menu disables pointer events elsewhere, so elements are compared by their stacking order.
    document.body.style.pointerEvents = 'auto';
    const corners = [1, innerWidth - 2].flatMap((x) => [1, innerHeight - 2].map((y) => [x, y] as const));
    return corners.every(([x, y]) => document.elementFromPoint(x, y)?.textContent?.includes(text));
  }, overlayText);
}

test('loading screen: covers the page until the application responds', async ({
  isMobile,
  openSite,
  page,
}) => {
  // The application does not respond, so the browser stays on the page.
  await page.route('https://app.countersign.example/**', (route) => route.fulfill({ status: 204 }));
  await openSite();
  await expect(page.getByText(overlayText)).toHaveCount(0);
  await (await openNavigation(page, isMobile)).getByRole('link', { name: 'Sign In' }).click();
  await expect(page.getByRole('status').filter({ hasText: overlayText })).toBeVisible();
  expect(await isCovered(page)).toBe(true);
});
