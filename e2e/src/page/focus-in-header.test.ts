import { anyWindow, expect, test } from '../site/page-test.ts';

const place = 4000;

for (const { width, opener } of [
  { width: 1280, opener: 'Theme' },
  { width: 390, opener: 'Open menu' },
] as const) {
  test(`focus: its return to "${opener}" does not scroll the page`, anyWindow, async ({ openSite, page }) => {
    await page.setViewportSize({ width, height: 800 });
    await openSite();
    await page.locator('html[data-heights-known]').waitFor({ state: 'attached' });
    await page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), place);
    const button = page.getByRole('button', { name: opener, includeHidden: true });
    await button.click();
    await expect(button).not.toBeFocused();
    await page.keyboard.press('Escape');
    await expect(button).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate(() => Math.round(scrollY))).toBe(place);
  });
}
