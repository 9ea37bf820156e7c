import type { Page } from '@playwright/test';

/**
 * Records layout shifts, also those under the splash, as the browser's own score does, and those right after a press, which
 * that score excludes. Call it before opening the page. The result returns the sum of the scores.
 */
export async function recordLayoutShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts: PerformanceEntry[] = [];
    const observer = new PerformanceObserver((list) => void shifts.push(...list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    const total = () => {
      shifts.push(...observer.takeRecords());
      return shifts.reduce((sum, shift) => sum + (Reflect.get(shift, 'value') as number), 0);
    };
    Object.assign(window, { layoutShiftTotal: total });
  });
  return () => page.evaluate(() => (Reflect.get(window, 'layoutShiftTotal') as () => number)());
}
