import type { Page } from '@playwright/test';
import { openNavigation } from '../driver/open-navigation.ts';
import { anyWindow, expect, test } from '../site/page-test.ts';
import { shownTheme } from '../checks/shown-theme.ts';

const storedTheme = (page: Page) => page.evaluate(() => localStorage.getItem('countersign-theme'));
const expectTheme = (page: Page, theme: 'light' | 'dark') =>
  expect.poll(() => shownTheme(page), { message: 'the theme that is shown' }).toBe(theme);

/** Control of the theme: a menu of the header, or a part of the side menu on a phone. */
function themeControl(page: Page, isMobile: boolean) {
  const role = isMobile ? 'radio' : 'menuitemradio';
  const open = async () => {
    if (isMobile) return (await openNavigation(page, isMobile)).getByRole('group', { name: 'Theme' });
    await page.getByRole('button', { name: 'Theme' }).click();
    return page.getByRole('menu');
  };
  return {
    async choose(label: string) {
      const options = await open();
      await expect(options.getByRole(role)).toHaveCount(3);
      for (const name of ['Light', 'Dark', 'System']) {
        await expect(options.getByRole(role, { name })).toBeVisible();
      }
      await options.getByRole(role, { name: label }).click();
      if (isMobile) await page.keyboard.press('Escape');
      await expect(options).toHaveCount(0);
    },
    async expectChosen(label: string) {
      const options = await open();
      await expect(options.getByRole(role, { checked: true })).toHaveCount(1);
      await expect(options.getByRole(role, { name: label })).toBeChecked();
      await page.keyboard.press('Escape');
      await expect(options).toHaveCount(0);
    },
  };
}

test('theme: Light, Dark or System; System follows the device while the page is open', async ({
  isMobile,
  openSite,
  page,
}) => {
  const { choose, expectChosen } = themeControl(page, isMobile);
  await page.emulateMedia({ colorScheme: 'light' });
  await openSite();
  await expectTheme(page, 'light');
  await expectChosen('System');
  expect(await storedTheme(page)).toBeNull();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectTheme(page, 'dark');

  await choose('Light');
  await expectTheme(page, 'light');
  expect(await storedTheme(page)).toBe('light');
  await page.emulateMedia({ colorScheme: 'light' });

  await choose('Dark');
  await expectTheme(page, 'dark');
  expect(await storedTheme(page)).toBe('dark');

  await openSite();
  await expectTheme(page, 'dark');
  await expectChosen('Dark');

  await choose('System');
  await expectTheme(page, 'light');
  expect(await storedTheme(page)).toBe('system');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectTheme(page, 'dark');
});

test(
  'theme: the browser’s own surfaces have the chosen colour',
  anyWindow,
  async ({ isMobile, openSite, page }) => {
    const { choose } = themeControl(page, isMobile);
    const colors = () =>
      page
        .locator('meta[name=theme-color]')
        .evaluateAll((metas) =>
          metas
            .filter((meta) => matchMedia((meta as HTMLMetaElement).media).matches)
            .map((meta) => meta.getAttribute('content')),
        );
    const background = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--color-background'));
    await page.emulateMedia({ colorScheme: 'light' });
    await openSite();
    expect(await colors()).toEqual([await background()]);
    await choose('Dark');
    await expectTheme(page, 'dark');
    expect(await colors()).toEqual([await background()]);
    await openSite();
    expect(await colors()).toEqual([await background()]);
  },
);

const firstPaints = [
  { stored: null, system: 'light', expected: 'light' },
  { stored: null, system: 'dark', expected: 'dark' },
  { stored: 'system', system: 'dark', expected: 'dark' },
  { stored: 'light', system: 'dark', expected: 'light' },
  { stored: 'dark', system: 'light', expected: 'dark' },
] as const;

test(
  'theme: applied before the first text of the page, whatever is stored',
  anyWindow,
  async ({ page, site }) => {
    await page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        if (!document.body) return;
        observer.disconnect();
        Object.assign(window, { themeBeforeBody: document.documentElement.dataset['theme'] });
      });
      observer.observe(document, { childList: true, subtree: true });
    });
    // Shares the page's storage without being the page. What the site itself serves beside its pages is in a sandbox.
    const storage = `${site.url}/storage`;
    await page.route(storage, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
    );
    for (const { stored, system, expected } of firstPaints) {
      await page.emulateMedia({ colorScheme: system });
      await page.goto(storage);
      await page.evaluate((theme) => {
        localStorage.clear();
        if (theme) localStorage.setItem('countersign-theme', theme);
      }, stored);
      await page.goto(site.url, { waitUntil: 'domcontentloaded' });
      const before = await page.evaluate(() => Reflect.get(window, 'themeBeforeBody') as unknown);
      expect.soft(before, `stored: ${stored}, system: ${system}`).toBe(expected);
      expect.soft(await shownTheme(page)).toBe(expected);
    }
  },
);
