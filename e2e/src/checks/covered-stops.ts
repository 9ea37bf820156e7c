import type { Page } from '@playwright/test';

/** Presses a key until the focus leaves the page, and returns the elements that were not completely visible meanwhile. */
export async function coveredStops(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<readonly string[]> {
  const covered: string[] = [];
  const most = 120;
  for (let stops = 0; stops < most; stops += 1) {
    await page.keyboard.press(key);
    const stop = await page.evaluate(describeFocus);
    if (!stop) return stops > 0 ? covered : ['nothing has the focus'];
    if (stop.coveredBy) covered.push(`${stop.name}: ${stop.coveredBy}`);
  }
  return [...covered, `the focus did not leave the page after ${most} stops`];
}

/** Runs in the page. Undefined if nothing has the focus. */
function describeFocus(): { readonly name: string; readonly coveredBy: string | undefined } | undefined {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return undefined;
  const { left, right, top, bottom } = focused.getBoundingClientRect();
  // Of a tall field the browser shows the caret.
  const tall = bottom - top > innerHeight / 3;

  /** The element that sticks to the window and covers a point of the focused one. */
  const coverAt = (x: number, y: number): string | undefined => {
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight)
      return tall ? undefined : 'the edge of the window';
    for (let over = document.elementFromPoint(x, y); over; over = over.parentElement) {
      if (over.contains(focused)) return undefined;
      const isStuck = ['sticky', 'fixed'].includes(getComputedStyle(over).position);
      // A tooltip belongs to the focused element.
      if (isStuck && over.role !== 'tooltip') return over.tagName.toLowerCase();
    }
    return undefined;
  };
  // More than the rounding of the corners takes away.
  const inset = 4;
  const points = [left + inset, (left + right) / 2, right - inset].flatMap((x) =>
    [top + inset, (top + bottom) / 2, bottom - inset].map((y) => coverAt(x, y)),
  );
  const name = `${focused.tagName.toLowerCase()} ${focused.textContent || (focused.getAttribute('aria-label') ?? focused.getAttribute('name') ?? '')}`;
  return { name: name.slice(0, 60), coveredBy: points.find((cover) => cover !== undefined) };
}
