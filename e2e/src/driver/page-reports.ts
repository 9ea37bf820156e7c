import { telemetryReport, type PartReport } from '@countersign/contracts/telemetry';
import { telemetryPath } from '@countersign/contracts/telemetry-path';
import type { Page, Response } from '@playwright/test';

/** Global variable with the recordings of {@link recordReports} that have begun. */
const recordingsGlobal = 'recordingsOfReports';

/** Records the page's reports, because Playwright does not show the body of a beacon. Call it before opening the page. */
export async function recordReports(page: Page): Promise<readonly string[]> {
  const bodies: string[] = [];
  await page.exposeFunction('noteReport', (body: string) => void bodies.push(body));
  await page.addInitScript((name) => {
    const recordings: Promise<void>[] = [];
    Object.assign(globalThis, { [name]: recordings });
    const send = navigator.sendBeacon.bind(navigator);
    navigator.sendBeacon = (url, body) => {
      const note = Reflect.get(globalThis, 'noteReport') as (text: string) => Promise<void>;
      if (body instanceof Blob) recordings.push(body.text().then(note));
      else if (typeof body === 'string') recordings.push(note(body));
      return send(url, body);
    };
  }, recordingsGlobal);
  return bodies;
}

/** The reports of parts in recorded reports, all or those with an outcome. */
export function reportsOfParts(
  reports: readonly string[],
  wanted?: PartReport['outcome'],
): readonly PartReport[] {
  return reports
    .flatMap((report) => telemetryReport.parse(JSON.parse(report)).parts)
    .filter(({ outcome }) => wanted === undefined || outcome === wanted);
}

/**
 * Sets the visibility of the page to hidden, because a headless browser never does. Afterwards {@link recordReports} has
 * recorded every report that was sent.
 */
export async function pretendHidden(page: Page): Promise<void> {
  await page.evaluate(async (recordings) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
    await Promise.all((Reflect.get(globalThis, recordings) ?? []) as readonly Promise<void>[]);
  }, recordingsGlobal);
}

/** Hides the page, because it reports its telemetry then. Resolves with the service's response. */
export async function hidePage(page: Page): Promise<Response> {
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === telemetryPath);
  await pretendHidden(page);
  return answered;
}
