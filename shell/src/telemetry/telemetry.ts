import { telemetryPath } from '@countersign/contracts/telemetry-path';
import type { PartReport, TelemetryReport, VitalReport } from '@countersign/contracts/telemetry';

/** Delay between the first queued report and the beacon, in milliseconds. */
const flushDelay = 10_000;
/** Maximum numbers of entries per beacon, as in the contract. Further entries are dropped. */
const maxParts = 64;
const maxVitals = 16;
/** Maximum of `sinceBegun` in the contract, in milliseconds. */
const maxSinceBegun = 600_000;

/** Queues reports about parts and web vitals, and sends them in batches. */
export interface Telemetry {
  part(report: PartReport): void;
  vital(report: VitalReport): void;
}

/** Discards all reports. */
export const noopTelemetry: Telemetry = { part: () => undefined, vital: () => undefined };

interface QueuedReport {
  readonly report: PartReport;
  /** Start of the load, if this is the first report after it. */
  readonly startedAt?: number | undefined;
}

/**
 * Sends queued reports in a beacon some seconds after the first one, and when the page is hidden or unloaded, because
 * `sendBeacon` outlives the page. A page that the browser prerenders sends nothing until a visitor sees it. Failed beacons are not retried. Load starts are sent at once, with all that is queued, because
 * the code that loads next may hang the tab.
 */
export function createTelemetry(releaseId: string): Telemetry {
  let parts: QueuedReport[] = [];
  let vitals: VitalReport[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Loads without a report after their start, by part and version. */
  const pendingLoads = new Map<string, { readonly begun: PartReport; readonly startedAt: number }>();
  const keyOf = ({ part, version }: PartReport) => `${part} ${version}`;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (parts.length === 0 && vitals.length === 0) return;
    // The browser may drop a page that it prerenders, without an event.
    if (document.prerendering) return document.addEventListener('prerenderingchange', flush, { once: true });
    const now = performance.now();
    const timedParts = parts.map(({ report, startedAt }) =>
      startedAt === undefined
        ? report
        : { ...report, sinceBegun: Math.min(maxSinceBegun, Math.round(now - startedAt)) },
    );
    const report: TelemetryReport = { releaseId, parts: timedParts, vitals };
    parts = [];
    vitals = [];
    navigator.sendBeacon(telemetryPath, new Blob([JSON.stringify(report)], { type: 'application/json' }));
  }

  function scheduleFlush(): void {
    timer ??= setTimeout(flush, flushDelay);
  }

  function enqueue(report: PartReport): void {
    const startedAt = pendingLoads.get(keyOf(report))?.startedAt;
    pendingLoads.delete(keyOf(report));
    if (parts.length < maxParts) parts.push({ report, startedAt });
  }

  /** Reports pending loads as `left`, which distinguishes a closed tab from one that hangs. */
  function flushOnExit(): void {
    for (const { begun } of [...pendingLoads.values()]) enqueue({ ...begun, outcome: 'left' });
    flush();
  }

  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') flushOnExit();
  });
  addEventListener('pagehide', flushOnExit);

  return {
    part(report) {
      enqueue(report);
      if (report.outcome !== 'begun') return scheduleFlush();
      // All load starts of one task share a beacon: the first microtask sends it, the others find an empty queue.
      queueMicrotask(flush);
      pendingLoads.set(keyOf(report), { begun: report, startedAt: performance.now() });
    },
    vital(report) {
      if (vitals.length < maxVitals) vitals.push(report);
      scheduleFlush();
    },
  };
}
