import type { Page } from '@playwright/test';
import { onceOnDesktop, expect, test } from '../site/page-test.ts';
import { shownTheme } from '../checks/shown-theme.ts';

const expectTheme = (page: Page, theme: 'light' | 'dark') =>
  expect.poll(() => shownTheme(page), { message: 'the theme that is shown' }).toBe(theme);

test('theme: System follows the device live', onceOnDesktop, async ({ openSite, page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await openSite();
  await expectTheme(page, 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectTheme(page, 'dark');
});

test('theme: the browser’s own surfaces have its color', onceOnDesktop, async ({ openSite, page }) => {
  const expectBrowserColor = async () => {
    const colors = await page
      .locator('meta[name=theme-color]')
      .evaluateAll((metas) =>
        metas
          .filter((meta) => matchMedia((meta as HTMLMetaElement).media).matches)
          .map((meta) => meta.getAttribute('content')),
      );
    const background = await page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--color-background'),
    );
    expect(colors).toEqual([background]);
  };
  await page.emulateMedia({ colorScheme: 'light' });
  await openSite();
  await expectBrowserColor();
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expectTheme(page, 'dark');
  await expectBrowserColor();
  await openSite();
  await expectBrowserColor();
});
