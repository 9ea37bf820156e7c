import type { Locator, Page } from '@playwright/test';

/** The element with the navigation: the header, or on a phone the side menu, which it opens. */
export async function openNavigation(page: Page, isMobile: boolean): Promise<Locator> {
  if (!isMobile) return page.getByRole('banner');
  await page.getByRole('button', { name: 'Open menu' }).click();
  return page.getByRole('dialog', { name: 'Menu' });
}

/** Sections of the page that the navigation links to: label of the link → id of the section. */
export const navigationTargets = {
  Features: 'features',
  Pricing: 'pricing',
  API: 'api',
  Contact: 'contact',
} as const;

/** The target of a link of the navigation. It is found by its anchor, because only some have a role. */
export function sectionOf(
  page: Page,
  id: (typeof navigationTargets)[keyof typeof navigationTargets],
): Locator {
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
function toastRegion(page: Page): Locator {
  return page.getByRole('region', { name: 'Notifications (F8)', includeHidden: true });
}

/** Uses a form, which loads the region, and returns the region. */
export async function loadedToastRegion(page: Page): Promise<Locator> {
  await page.getByRole('textbox', { name: 'Name' }).press('Shift');
  await toastRegion(page).waitFor({ state: 'attached' });
  return toastRegion(page);
}

/** The toasts that are visible. Also found while an open dialog hides the page behind it from screen readers. */
export function toasts(page: Page): Locator {
  return toastRegion(page).getByRole('listitem', { includeHidden: true });
}

export function closeToastButton(page: Page): Locator {
  return toasts(page).getByRole('button', { name: 'Close', includeHidden: true });
}

/** Target of all links that sign in or start a trial. */
export const loginAddress = 'https://app.countersign.example/login';
