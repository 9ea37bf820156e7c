// blind spot: reports are for teams. The tests of this file read them.
import type { VitalReport } from '@countersign/contracts/page-report';
import type { GroupAssignment } from '../canary/assign-groups.ts';
import { shownAround } from '../slot/shown-parts.ts';
import type { PageReporter } from './page-reporter.ts';

/** Duration from which a press is slow, in milliseconds (INP "poor", web.dev/inp). */
const slowPress = 500;

/** Entries of the browser, by type. */
interface Entries {
  readonly 'largest-contentful-paint': PerformanceEntry;
  readonly 'layout-shift': LayoutShift;
  readonly event: PerformanceEventTiming;
}

/** Passes each entry of a type to a function. Returns a function that passes on those which the browser still holds back. */
function observe<Type extends keyof Entries>(type: Type, use: (entry: Entries[Type]) => void): () => void {
  if (!PerformanceObserver.supportedEntryTypes.includes(type)) return () => undefined;
  const useAll = (entries: PerformanceEntryList) => (entries as Entries[Type][]).forEach(use);
  const observer = new PerformanceObserver((list) => useAll(list.getEntries()));
  // The minimum that browsers accept, in milliseconds.
  observer.observe({ type, buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
  return () => useAll(observer.takeRecords());
}

/**
 * Reports the web vitals of this page view (web.dev/vitals) when the page is first hidden, and the version whose slot had the slowest
 * press, if that was slow. The library `web-vitals` would be 2 kB more in each first visit; it differs in pages with more than 50
 * presses, and in those that the browser restores.
 */
export function reportVitals(reporter: PageReporter, groups: GroupAssignment): void {
  const vitals: Partial<Record<VitalReport['name'], number | undefined>> = {};
  if (PerformanceObserver.supportedEntryTypes.includes('layout-shift')) vitals.CLS = 0;
  let slow: ReturnType<typeof shownAround>;
  // CLS is the largest sum of shifts in a window of up to five seconds without a pause of one second. This is the current window.
  let [windowStart, lastShift, sum] = [0, 0, 0];
  const flushes = [
    observe('largest-contentful-paint', ({ startTime }) => (vitals.LCP = startTime)),
    observe('layout-shift', ({ hadRecentInput, startTime, value }) => {
      if (hadRecentInput) return;
      const continues = startTime - lastShift < 1000 && startTime - windowStart < 5000;
      if (!continues) [windowStart, sum] = [startTime, 0];
      lastShift = startTime;
      sum += value;
      vitals.CLS = Math.max(vitals.CLS ?? 0, sum);
    }),
    observe('event', ({ duration, interactionId, target }) => {
      if (!interactionId || duration <= (vitals.INP ?? 0)) return;
      vitals.INP = duration;
      slow = duration > slowPress ? shownAround(target, groups) : undefined;
    }),
  ];
  // A hidden page paints late, so its times say nothing.
  const wasHidden = document.visibilityState === 'hidden' && !document.prerendering;

  function report(): void {
    if (document.visibilityState !== 'hidden') return;
    document.removeEventListener('visibilitychange', report, { capture: true });
    for (const flush of flushes) flush();
    const [navigation] = performance.getEntriesByType('navigation');
    vitals.TTFB = navigation?.responseStart;
    vitals.FCP = performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
    // A page that the browser has prerendered begins when it is activated.
    const start = navigation?.activationStart ?? 0;
    for (const name of ['TTFB', 'FCP', 'LCP'] as const) {
      const time = vitals[name];
      if (time !== undefined && !wasHidden) reporter.vital({ name, value: Math.max(0, time - start) });
    }
    for (const name of ['CLS', 'INP'] as const) {
      const value = vitals[name];
      if (value !== undefined) reporter.vital({ name, value });
    }
    if (slow) reporter.part({ ...slow, measure: 'slow' });
  }
  // Captured, before the reporter sends what it has when the page is hidden.
  document.addEventListener('visibilitychange', report, { capture: true });
}
