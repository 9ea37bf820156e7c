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

const firstPaints = [
  { stored: null, system: 'dark', expected: 'dark' },
  { stored: 'dark', system: 'light', expected: 'dark' },
] as const;

test('theme: applied before the first text of the page', onceOnDesktop, async ({ page }) => {
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (!document.body) return;
      observer.disconnect();
      Object.assign(window, { themeBeforeBody: document.documentElement.dataset['theme'] });
    });
    observer.observe(document, { childList: true, subtree: true });
  });
  // Has the storage of the page, unlike the site's other documents, which are sandboxed.
  const storage = '/storage';
  await page.route(storage, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  for (const { stored, system, expected } of firstPaints) {
    await page.emulateMedia({ colorScheme: system });
    await page.goto(storage);
    await page.evaluate((theme) => {
      localStorage.clear();
      if (theme) localStorage.setItem('countersign-theme', theme);
    }, stored);
    await page.goto('/', { waitUntil: 'domcontentloaded' });
    const before = await page.evaluate(() => Reflect.get(window, 'themeBeforeBody') as unknown);
    expect.soft(before, `stored: ${stored}, system: ${system}`).toBe(expected);
    expect.soft(await shownTheme(page)).toBe(expected);
  }
});
