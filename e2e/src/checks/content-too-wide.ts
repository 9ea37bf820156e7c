import type { Page } from '@playwright/test';

/**
 * What makes the page scroll sideways, or is cut off at its edges: a line for each piece of text and control that is
 * not within the window. Text that only screen readers get, and what scrolls inside its own box, may be anywhere.
 */
export async function contentTooWide(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const faults = scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide`] : [];
    const content = 'h1, h2, h3, h4, p, li, dt, dd, th, td, caption, a, button, input, textarea, label, code';
    for (const element of document.querySelectorAll(content)) {
      const { left, right, width } = element.getBoundingClientRect();
      if (width <= 1 || !element.checkVisibility({ visibilityProperty: true })) continue;
      if (element.closest('[aria-hidden="true"]')) continue;
      if (left >= -1 && right <= clientWidth + 1) continue;
      faults.push(`${element.localName} "${element.textContent.slice(0, 40)}" from ${left} to ${right}`);
    }
    return faults;
  });
}
