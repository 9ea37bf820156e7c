import type { Locator, Page } from '@playwright/test';

/** What holds the navigation at this size: the header, or on a phone the side menu, which is opened for it. */
export async function openNavigation(page: Page, isMobile: boolean): Promise<Locator> {
  if (!isMobile) return page.getByRole('banner');
  await page.getByRole('button', { name: 'Open menu' }).click();
  return page.getByRole('dialog', { name: 'Menu' });
}
