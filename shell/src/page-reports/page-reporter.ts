// blind spot: reports are for teams. The tests of this file read them.
import { brand } from '@countersign/contracts/brand';
import { pageReportPath } from '@countersign/contracts/part-event';
import type { PageReport, PartReport, VitalReport } from '@countersign/contracts/page-report';

/** Delay between the first queued entry and the beacon, in milliseconds. */
const flushDelay = 10_000;
/** Maximum number of entries about parts in a beacon, as in `pageReport` of the contract. Further ones are dropped. */
const maxParts = 64;
export const reportedKey = `${brand.toLowerCase()}-reported`;

/** Collects what this page view reports about parts and web vitals. */
export interface PageReporter {
  /** Each measure of a version counts once per page view. Failures and slow presses count once an hour per visitor. */
  part(report: PartReport): void;
  vital(report: VitalReport): void;
}

/** Reports nothing. */
export const silentReporter: PageReporter = { part: () => undefined, vital: () => undefined };

/**
 * Sends what is queued in a beacon some seconds after the first entry, and when the page is hidden or unloaded, because
 * `sendBeacon` outlives the page. A page that the browser prerenders sends nothing until a visitor sees it. Failed beacons are
 * not retried.
 */
export function createPageReporter(releaseId: string): PageReporter {
  const reported = new Set<string>();
  let parts: PartReport[] = [];
  let vitals: VitalReport[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (parts.length === 0 && vitals.length === 0) return;
    // No visitor has seen the page yet. The browser may also drop it without an event; then nothing is sent.
    if (document.prerendering) return document.addEventListener('prerenderingchange', flush, { once: true });
    const report: PageReport = { releaseId, parts: parts.slice(0, maxParts), vitals };
    parts = [];
    vitals = [];
    navigator.sendBeacon(pageReportPath, new Blob([JSON.stringify(report)], { type: 'application/json' }));
  }

  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') flush();
  });
  addEventListener('pagehide', flush);

  return {
    part(report) {
      const key = `${report.part} ${report.version} ${report.measure}`;
      if (reported.has(key)) return;
      reported.add(key);
      if (report.measure !== 'viewed' && !storeIfNewThisHour(reportedKey, key)) return;
      parts.push(report);
      timer ??= setTimeout(flush, flushDelay);
    },
    vital(report) {
      vitals.push(report);
      timer ??= setTimeout(flush, flushDelay);
    },
  };
}

/**
 * Stores that this visitor has reported this. Returns false if an earlier page view did so in the same hour, because the test that
 * compares canaries assumes independent failures, and those of one browser are not. Views may repeat, because
 * the test does not use their number. The source text is inlined in the HTML, so the function must not use anything outside its body.
 */
export function storeIfNewThisHour(storageKey: string, key: string): boolean {
  const hour = String(Math.floor(Date.now() / 3_600_000));
  try {
    const [storedHour, ...stored] = localStorage.getItem(storageKey)?.split('\n') ?? [];
    const known = storedHour === hour ? stored : [];
    if (known.includes(key)) return false;
    localStorage.setItem(storageKey, [hour, ...known, key].join('\n'));
  } catch {
    // Without storage, each page view reports.
  }
  return true;
}
