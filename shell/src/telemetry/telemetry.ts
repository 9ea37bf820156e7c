import { telemetryPath } from '@countersign/contracts/telemetry-path';
import type { PartReport, TelemetryReport, VitalReport } from '@countersign/contracts/telemetry';

/** How long reports are gathered before they are sent, in milliseconds. */
const gatheringTime = 10_000;
/** Most that one report may hold; what comes after is dropped. */
const mostParts = 64;
const mostVitals = 16;
/** Longest age that a report may name, in milliseconds. */
const maxAge = 600_000;

/** Gathers what happened to the parts, and sends it. */
export interface Telemetry {
  part(report: PartReport): void;
  vital(report: VitalReport): void;
}

/** For a view of the page that is to leave no trace. */
export const silentTelemetry: Telemetry = { part: () => undefined, vital: () => undefined };

/** A report that waits to be sent. */
interface Gathered {
  readonly report: PartReport;
  /** When the load began that this report settles. */
  readonly begunAt?: number | undefined;
}

/**
 * Sends what it has gathered some seconds after the first report, and when the page is left or hidden: a beacon
 * outlives the page and delays nothing. What cannot be sent is lost; no visitor waits for a figure. That a load begins is
 * sent at once, in one beacon for all loads that begin together: after that the tab may hang.
 */
export function createTelemetry(releaseId: string): Telemetry {
  let parts: Gathered[] = [];
  let vitals: VitalReport[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Loads that have begun and of which nothing else is known yet. */
  const unsettled = new Map<string, { readonly begun: PartReport; readonly at: number }>();
  const keyOf = ({ part, version }: PartReport) => `${part} ${version}`;

  function send(): void {
    clearTimeout(timer);
    timer = undefined;
    if (parts.length === 0 && vitals.length === 0) return;
    const now = performance.now();
    const dated = parts.map(({ report, begunAt }) =>
      begunAt === undefined ? report : { ...report, sinceBegun: Math.min(maxAge, Math.round(now - begunAt)) },
    );
    const report: TelemetryReport = { releaseId, parts: dated, vitals };
    parts = [];
    vitals = [];
    navigator.sendBeacon(telemetryPath, new Blob([JSON.stringify(report)], { type: 'application/json' }));
  }

  function sendSoon(): void {
    timer ??= setTimeout(send, gatheringTime);
  }

  function gather(report: PartReport): void {
    const begunAt = unsettled.get(keyOf(report))?.at;
    unsettled.delete(keyOf(report));
    if (parts.length < mostParts) parts.push({ report, begunAt });
  }

  /** A tab that hangs cannot say that it is left: this tells one from the other. */
  function leave(): void {
    for (const { begun } of [...unsettled.values()]) gather({ ...begun, outcome: 'left' });
    send();
  }

  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') leave();
  });
  addEventListener('pagehide', leave);

  return {
    part(report) {
      gather(report);
      if (report.outcome !== 'begun') return sendSoon();
      // Loads begin in one task, and what they load runs in a later one. Only the first of these has something to send.
      queueMicrotask(send);
      unsettled.set(keyOf(report), { begun: report, at: performance.now() });
    },
    vital(report) {
      if (vitals.length < mostVitals) vitals.push(report);
      sendSoon();
    },
  };
}
