import type { Page } from '@playwright/test';
import { expect, test } from './site-test.ts';

/** Remote → what its fallback says, and what else on the page must still work. */
const remotes = {
  'mf-header': (page: Page) => page.getByRole('banner').getByRole('link', { name: 'Pricing' }),
  'mf-content': (page: Page) => page.getByRole('heading', { level: 1 }),
  'mf-pricing': (page: Page) => page.getByText('The price list could not be loaded.'),
  'mf-leads': (page: Page) => page.getByText('The contact form could not be loaded.'),
} as const;
const names = Object.keys(remotes) as (keyof typeof remotes)[];

for (const blocked of names) {
  test(`while ${blocked} cannot be loaded, its fallback stands in its place and the rest works`, async ({
    page,
    openSite,
  }) => {
    await page.route(`**/${blocked}/**`, (route) => route.abort('connectionreset'));
    await openSite();

    for (const name of names) {
      const fallbacks = page.locator(`[data-remote="${name}"][data-version="fallback"]`);
      const slots = await page.locator(`[data-remote="${name}"]`).count();
      await expect(fallbacks).toHaveCount(name === blocked ? slots : 0);
    }
    await expect(remotes[blocked](page)).toBeVisible();

    await page.getByRole('banner').getByRole('link', { name: 'Contact' }).click();
    await expect(page.locator('#contact')).toBeInViewport();
    if (blocked !== 'mf-leads') {
      await page.getByRole('button', { name: /^(Send|Submit)/ }).click();
      await expect(page.getByText('Name must be at least 2 characters')).toBeVisible();
    }
    if (blocked !== 'mf-pricing') {
      await expect(page.getByRole('link', { name: 'Get Free' })).toBeVisible();
    }
  });
}

test('a remote that hangs is given up after its time, and its fallback shows', async ({ page, openSite }) => {
  await page.route('**/mf-pricing/**', () => undefined);
  await openSite();
  await expect(page.getByText('The price list could not be loaded.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeVisible();
});
