import {
  telemetryPath,
  type PartReport,
  type TelemetryReport,
  type VitalReport,
} from '@countersign/contracts/telemetry';

/** How long reports are gathered before they are sent, in milliseconds. */
const gatheringTime = 10_000;
/** Most that one report may hold; what comes after is dropped. */
const mostParts = 64;
const mostVitals = 16;

/** Gathers what happened to the parts, and sends it. */
export interface Telemetry {
  part(report: PartReport): void;
  vital(report: VitalReport): void;
}

/** For a view of the page that is to leave no trace. */
export const silentTelemetry: Telemetry = { part: () => undefined, vital: () => undefined };

/**
 * Sends what it has gathered some seconds after the first report, and when the page is left or hidden: a beacon
 * outlives the page and delays nothing. What cannot be sent is lost; no visitor waits for a figure.
 */
export function createTelemetry(releaseId: string): Telemetry {
  let parts: PartReport[] = [];
  let vitals: VitalReport[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function send(): void {
    clearTimeout(timer);
    timer = undefined;
    if (parts.length === 0 && vitals.length === 0) return;
    const report: TelemetryReport = { releaseId, parts, vitals };
    parts = [];
    vitals = [];
    navigator.sendBeacon(telemetryPath, new Blob([JSON.stringify(report)], { type: 'application/json' }));
  }

  function sendSoon(): void {
    timer ??= setTimeout(send, gatheringTime);
  }

  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') send();
  });
  addEventListener('pagehide', send);

  return {
    part(report) {
      if (parts.length < mostParts) parts.push(report);
      sendSoon();
    },
    vital(report) {
      if (vitals.length < mostVitals) vitals.push(report);
      sendSoon();
    },
  };
}
