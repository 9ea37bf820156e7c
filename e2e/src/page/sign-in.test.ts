import type { Page } from '@playwright/test';
import { loginAddress, standInForApplication, withholdApplication } from '../driver/login-page.ts';
import { openNavigation } from '../driver/open-navigation.ts';
import { expect, test } from '../site/page-test.ts';
import { splashEnd } from '../driver/splash-end.ts';

/** The links outside the price list. On a phone, those of the header are in its menu. */
const buttons = [
  async (page: Page, isMobile: boolean) =>
    (await openNavigation(page, isMobile)).getByRole('link', { name: 'Sign In' }),
  async (page: Page, isMobile: boolean) =>
    (await openNavigation(page, isMobile)).getByRole('link', { name: 'Start Free Trial' }),
  async (page: Page) =>
    page
      .getByRole('region')
      .filter({ has: page.getByRole('heading', { level: 1 }) })
      .getByRole('link', { name: 'Start Free Trial' }),
] as const;

test('sign in: Sign In and Start Free Trial lead to the login page everywhere', async ({
  context,
  isMobile,
  site,
}) => {
  await standInForApplication(context);
  await Promise.all(
    buttons.map(async (find) => {
      const page = await context.newPage();
      await page.goto(site.url);
      await splashEnd(page);
      const button = await find(page, isMobile);
      await button.click();
      await expect(page).toHaveURL(loginAddress);
    }),
  );
});

const overlayText = 'Empowering your documents...';

/** Whether the loading screen is on top in every corner of the window. */
async function isCovered(page: Page): Promise<boolean> {
  return page.evaluate((text) => {
    // An open menu disables pointer events elsewhere, so elements are compared by their stacking order.
    document.body.style.pointerEvents = 'auto';
    const corners = [1, innerWidth - 2].flatMap((x) => [1, innerHeight - 2].map((y) => [x, y] as const));
    return corners.every(([x, y]) => document.elementFromPoint(x, y)?.textContent?.includes(text));
  }, overlayText);
}

test('loading screen: covers the page until the application responds', async ({ openSite, page }) => {
  await withholdApplication(page);
  await openSite();
  await expect(page.getByText(overlayText)).toHaveCount(0);

  await page.getByRole('region').first().getByRole('link', { name: 'Start Free Trial' }).click();
  const overlay = page.getByRole('status').filter({ hasText: overlayText });
  await expect(overlay).toBeVisible();
  await expect(overlay.getByText('Loading...', { exact: true })).toBeVisible();
  expect(await isCovered(page)).toBe(true);
});

test('loading screen: covers the side menu, and is announced', async ({ isMobile, openSite, page }) => {
  test.skip(!isMobile, 'There is no side menu on a desktop.');
  await withholdApplication(page);
  await openSite();
  const menu = await openNavigation(page, isMobile);
  await menu.getByRole('link', { name: 'Sign In' }).click();
  await expect(page.getByText(overlayText)).toBeVisible();
  expect(await isCovered(page)).toBe(true);
  await expect(page.getByRole('status').filter({ hasText: overlayText })).toBeVisible();
});
