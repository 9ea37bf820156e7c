import type { Page } from '@playwright/test';

/**
 * Records layout shifts without user input, from the end of the splash on. Call it before opening the page. The result
 * returns the sum of the scores, or NaN while the splash is still shown.
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

    // Shifts right after a click count as well, although the browser's own score excludes them.
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
