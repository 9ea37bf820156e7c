import { expect, type Page } from '@playwright/test';

/**
 * Expects that scrolling ends with a section right below the header, or at the end of the page if the rest below the section is
 * too short for that.
 */
export async function expectScrolledTo(page: Page, sectionId: string): Promise<void> {
  await expect(page).toHaveURL(new RegExp(`/#${sectionId}$`));
  await expect
    .poll(() => page.evaluate(describePosition, sectionId), {
      message: `The section "${sectionId}" is right below the header, or the page is at its end.`,
      intervals: [50],
    })
    .toBe('in place');
}

/** Describes the position of the section. Runs in the page. */
function describePosition(sectionId: string): string {
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
