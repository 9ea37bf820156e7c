import { expect, type Page } from '@playwright/test';

/** Expects that a function finds no violation in the page at any of these widths of the window, in CSS pixels. */
export async function expectNoneAtWidths(
  page: Page,
  widths: readonly number[],
  findViolations: (page: Page) => Promise<readonly string[]>,
): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    expect.soft(await findViolations(page), `${width} px`).toEqual([]);
  }
}

/**
 * Like {@link contentTooWide}, without the cells of the limits table: with a large font, its header row is only for screen readers,
 * and may be anywhere.
 */
export async function contentTooWideOutsideTable(page: Page): Promise<readonly string[]> {
  return (await contentTooWide(page)).filter((violation) => !/^t[hd] /.test(violation));
}

/**
 * Finds texts and controls that make the page scroll sideways or are cut off at its edges, one line each. Text for screen
 * readers only may be anywhere.
 */
export async function contentTooWide(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const violations = scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide`] : [];
    const content = 'h1, h2, h3, h4, p, li, dt, dd, th, td, caption, a, button, input, textarea, label, code';
    for (const element of document.querySelectorAll(content)) {
      const { left, right, width } = element.getBoundingClientRect();
      if (width <= 1 || !element.checkVisibility({ visibilityProperty: true })) continue;
      if (element.closest('[aria-hidden="true"]')) continue;
      if (left >= -1 && right <= clientWidth + 1) continue;
      violations.push(`${element.localName} "${element.textContent.slice(0, 40)}" from ${left} to ${right}`);
    }
    return violations;
  });
}
