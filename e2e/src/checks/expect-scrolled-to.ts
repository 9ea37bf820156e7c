import { expect, type Page } from '@playwright/test';

/**
 * Expects the page to come to rest with a section right below the header, or with the page's end in view where there is
 * not enough below the section to scroll it that far.
 */
export async function expectScrolledTo(page: Page, sectionId: string): Promise<void> {
  await expect(page).toHaveURL(new RegExp(`/#${sectionId}$`));
  await expect
    .poll(() => page.evaluate(distanceFromHeader, sectionId), {
      message: `The section "${sectionId}" is as far up as it can be, and not below the header.`,
      intervals: [50],
    })
    .toBe('in place');
}

/** Runs in the page. */
function distanceFromHeader(sectionId: string): string {
  const header = document.querySelector('header');
  const section = document.getElementById(sectionId);
  if (!header || !section) return 'missing';
  const { bottom, top } = header.getBoundingClientRect();
  if (top !== 0) return 'the header is not at the top';
  const distance = section.getBoundingClientRect().top - bottom;
  const { scrollHeight, scrollTop, clientHeight } = document.documentElement;
  const atEnd = scrollHeight - clientHeight - scrollTop < 1;
  return Math.abs(distance) < 4 || (atEnd && distance > 0) ? 'in place' : `${distance} px below the header`;
}
