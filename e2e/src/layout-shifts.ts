import type { Page } from '@playwright/test';

/**
 * Notes how much of the page moves by itself, from the end of the splash on. To be called before the page is opened;
 * call the result to have the sum of the scores, which is no number while the splash is still there.
 */
export async function recordLayoutShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    let splashSeen = false;
    let splashEnd = Number.NaN;
    new MutationObserver((_, observer) => {
      const splash = document.getElementById('splash');
      if (splashSeen && !splash) {
        splashEnd = performance.now();
        observer.disconnect();
      }
      splashSeen ||= splash !== null;
    }).observe(document, { childList: true, subtree: true });

    const shifts: PerformanceEntry[] = [];
    const observer = new PerformanceObserver((list) => void shifts.push(...list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });

    // What moves right after a click counts as well, although a browser's own score leaves it out.
    const total = () => {
      shifts.push(...observer.takeRecords());
      const scores = shifts
        .filter(({ startTime }) => startTime >= splashEnd)
        .map((shift) => Reflect.get(shift, 'value') as number);
      return Number.isNaN(splashEnd) ? splashEnd : scores.reduce((sum, score) => sum + score, 0);
    };
    Object.assign(window, { layoutShiftTotal: total });
  });
  return () => page.evaluate(() => (Reflect.get(window, 'layoutShiftTotal') as () => number)());
}
