import type { Page } from '@playwright/test';

/** Theme of the page, determined by its background color. */
export async function shownTheme(page: Page): Promise<'light' | 'dark'> {
  const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [red = 0, green = 0, blue = 0] = (background.match(/[\d.]+/g) ?? []).map(Number);
  return red + green + blue > (3 * 255) / 2 ? 'light' : 'dark';
}
