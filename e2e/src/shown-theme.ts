import type { Page } from '@playwright/test';

/** Whether the page looks light or dark, judged by its background. */
export async function shownTheme(page: Page): Promise<'light' | 'dark'> {
  const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [red = 0, green = 0, blue = 0] = (background.match(/[\d.]+/g) ?? []).map(Number);
  return red + green + blue > (3 * 255) / 2 ? 'light' : 'dark';
}
