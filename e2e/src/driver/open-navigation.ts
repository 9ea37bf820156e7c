import type { Locator, Page } from '@playwright/test';

/** The element with the navigation: the header, or on a phone the side menu, which it opens. */
export async function openNavigation(page: Page, isMobile: boolean): Promise<Locator> {
  if (!isMobile) return page.getByRole('banner');
  await page.getByRole('button', { name: 'Open menu' }).click();
  return page.getByRole('dialog', { name: 'Menu' });
}
