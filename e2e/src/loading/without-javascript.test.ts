import type { Page } from '@playwright/test';
import { expectSections } from '../checks/expect-sections.ts';
import { expectHydrated } from '../checks/expect-whole-page.ts';
import { shownTheme } from '../checks/shown-theme.ts';
import { sectionOf } from '../driver/landing-page.ts';
import { fieldOf } from '../driver/lead-forms.ts';
import { openPage } from '../driver/open-page.ts';
import { expect, test } from '../site/site-test.ts';

test.use({ javaScriptEnabled: false });

/** Accessible content of each slot of the two remotes that look the same without JavaScript. */
async function contents(page: Page): Promise<readonly string[]> {
  const slots = await page.locator('[data-remote="mf-content"], [data-remote="mf-pricing"]').all();
  return Promise.all(slots.map((slot) => slot.ariaSnapshot()));
}

test('without JavaScript: the page has the content of the hydrated page, in order', async ({
  browser,
  page,
  site,
}) => {
  await page.goto('/');
  await expect(page.locator('#splash')).toBeHidden();
  await expectSections(page);
  const hydrated = await browser.newPage({ javaScriptEnabled: true });
  await openPage(hydrated, site.url);
  for (const remote of ['mf-content', 'mf-pricing'] as const) await expectHydrated(hydrated, remote);
  expect(await contents(page)).toEqual(await contents(hydrated));
  await hydrated.close();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`without JavaScript: the page is ${colorScheme} if the system is`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    for (const path of ['/', '/no/such/page']) {
      await page.goto(path);
      expect(await shownTheme(page), path).toBe(colorScheme);
    }
  });
}

test('without JavaScript: no control is shown that needs it, and links take their place', async ({
  page,
}) => {
  await page.goto('/');
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    // The buttons in the table only show tooltips, and look like text without code.
    const buttons = page.getByRole('button').and(page.locator(':not(table button)'));
    // Watch Demo has no visible effect with code either.
    await expect(buttons).toHaveText(['Watch Demo', 'Send Message']);
    await page.getByRole('banner').getByRole('link', { name: 'Pricing' }).click();
    await expect(sectionOf(page, 'pricing')).toBeInViewport();
    for (const name of ['Start Free Trial', 'Schedule Demo']) {
      await sectionOf(page, 'contact').getByRole('link', { name }).click();
      await expect(fieldOf(page.getByRole('form'), 'Name')).toBeInViewport({ ratio: 1 });
    }
  }
});
