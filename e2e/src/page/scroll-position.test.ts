import { onceOnDesktop, expect, test } from '../site/page-test.ts';
import { splashEnd } from '../driver/open-page.ts';

const top = 4000;

for (const [how, path] of [
  ['reload', '/'],
  ['back', '/#pricing'],
] as const) {
  test(`scroll position: is restored by ${how} at ${path}`, onceOnDesktop, async ({ openSite }) => {
    const page = await openSite(path);
    await page.evaluate((place) => scrollTo({ top: place, behavior: 'instant' }), top);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(top);
    if (how === 'reload') await page.reload();
    else {
      await page.goto('/robots.txt');
      await page.goBack();
    }
    await splashEnd(page);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(top);
    await expect.poll(() => page.evaluate(() => history.scrollRestoration)).toBe('auto');
  });
}

for (const { width, opener } of [
  { width: 1280, opener: 'Theme' },
  { width: 390, opener: 'Open menu' },
] as const) {
  test(
    `focus: its return to "${opener}" does not scroll the page`,
    onceOnDesktop,
    async ({ openSite, page }) => {
      await page.setViewportSize({ width, height: 800 });
      await openSite();
      await page.evaluate((place) => scrollTo({ top: place, behavior: 'instant' }), top);
      const button = page.getByRole('button', { name: opener, includeHidden: true });
      await button.click();
      await expect(button).not.toBeFocused();
      await page.keyboard.press('Escape');
      await expect(button).toBeFocused();
      // Nor does the next key, which goes on from the button.
      await page.keyboard.press('Shift+Tab');
      expect(await page.evaluate(() => Math.round(scrollY))).toBe(top);
    },
  );
}
