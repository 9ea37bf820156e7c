import type { SectionId } from '@countersign/contracts/shell-api';
import type { Locator, Page } from '@playwright/test';

/** The element with the navigation: the header, or on a phone the side menu, which it opens. */
export async function openNavigation(page: Page, isMobile: boolean): Promise<Locator> {
  if (!isMobile) return page.getByRole('banner');
  await page.getByRole('button', { name: 'Open menu' }).click();
  return page.getByRole('dialog', { name: 'Menu' });
}

/** The target of a link of the navigation. It is found by its anchor, because only some have a role. */
export function sectionOf(page: Page, id: SectionId): Locator {
  return page.locator(`#${id}`);
}

/** The elements into which the page puts the components of a remote. Once one works, it has the attribute `data-version`. */
export function slotsOf(page: Page, remote: string): Locator {
  return page.locator(`[data-remote="${remote}"]`);
}

/** The element into which the page puts a component: `./pricing`. */
export function slotOf(page: Page, exposed: string): Locator {
  return page.locator(`[data-exposed="${exposed}"]`);
}

/** The region at the edge of the window in which toasts appear. */
export function toastRegion(page: Page): Locator {
  return page.getByRole('region', { name: 'Notifications (F8)', includeHidden: true });
}

/** The toasts that are visible. Also found while an open dialog hides the page behind it from screen readers. */
export function toasts(page: Page): Locator {
  return toastRegion(page).getByRole('listitem', { includeHidden: true });
}
