import type { Locator, Page } from '@playwright/test';

/** The region at the edge of the window in which notices appear. */
function noticeRegion(page: Page): Locator {
  return page.getByRole('region', { name: 'Notifications (F8)', includeHidden: true });
}

/** Uses a form, which loads the region, and returns the region. */
export async function loadedNoticeRegion(page: Page): Promise<Locator> {
  await page.getByRole('textbox', { name: 'Name' }).press('Shift');
  await noticeRegion(page).waitFor({ state: 'attached' });
  return noticeRegion(page);
}

/** The notices that are visible. Also found while an open dialog hides the page behind it from screen readers. */
export function notices(page: Page): Locator {
  return noticeRegion(page).getByRole('listitem', { includeHidden: true });
}

/** The button that closes the notice. */
export function closeNotice(page: Page): Locator {
  return notices(page).getByRole('button', { name: 'Close', includeHidden: true });
}
