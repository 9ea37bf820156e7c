import { telemetryPath } from '@countersign/contracts/telemetry-path';
import type { Page, Response } from '@playwright/test';

let networks = 0;

/** Options of a browser context whose requests come from a network of their own, as a proxy in front of the site tells. */
export function fromNewNetwork() {
  networks += 1;
  return { extraHTTPHeaders: { 'X-Forwarded-For': `10.${networks >> 8}.${networks & 255}.1` } };
}

/** Hides the page, because it reports its telemetry then. Resolves with the service's response. */
export async function hidePage(page: Page): Promise<Response> {
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === telemetryPath);
  await pretendHidden(page);
  return answered;
}

/** Global variable with the recordings of {@link recordReports} that have begun. */
const recordingsGlobal = 'recordingsOfReports';

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

/**
 * Records each change of what the slot of a remote shows, in every frame after the end of the splash: a version, `markup` for
 * prerendered markup without code, or `hole` for an empty slot. Call it before the page is opened.
 */
export async function recordSlot(page: Page, remote: string): Promise<() => Promise<readonly string[]>> {
  await page.addInitScript((name) => {
    const shown: string[] = [];
    const look = () => {
      const slot = document.querySelector(`[data-remote="${name}"]`);
      if (slot && !document.getElementById('splash')) {
        const heights = [...slot.children].map((child) => child.getBoundingClientRect().height);
        const version = slot.getAttribute('data-version');
        const state = Math.max(0, ...heights) < 20 ? 'hole' : (version ?? 'markup');
        const stillLoads = state === 'markup' && shown.length === 0;
        if (!stillLoads && shown.at(-1) !== state) shown.push(state);
      }
      requestAnimationFrame(look);
    };
    look();
    Object.assign(globalThis, { shownInSlot: shown });
  }, remote);
  return async () => {
    await page.waitForFunction(() => (Reflect.get(globalThis, 'shownInSlot') as string[]).length > 0);
    return page.evaluate(() => Reflect.get(globalThis, 'shownInSlot') as string[]);
  };
}

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
