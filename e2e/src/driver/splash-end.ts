import type { Page } from '@playwright/test';

/**
 * Waits until the splash is gone and every section is usable, which takes some frames more. A key press before that is lost,
 * because Playwright does not wait for an element that cannot have the focus yet.
 */
export async function splashEnd(page: Page): Promise<void> {
  await page.locator('#splash').waitFor({ state: 'detached' });
  await page.locator('#root[inert], #root [inert]').first().waitFor({ state: 'detached' });
}
