import type { PartName, RemoteName } from '@countersign/contracts/remotes';
import { pageReport, type PartReport } from '@countersign/contracts/page-report';
import { pageReportPath } from '@countersign/contracts/part-event';
import type { BrowserContext, Page, Response, Route } from '@playwright/test';

/** Global variable with the name of the part that the splash does not wait for. */
const latePartGlobal = 'latePart';

/**
 * Lets {@link endSplashEarly} end the splash without the code of a part, which a test delays or breaks, and without the page's
 * `load` event, which comes after that code. Without the shell, no part has code.
 */
export async function endSplashWithout(page: Page, part: PartName): Promise<void> {
  await page.addInitScript(([name, value]) => Object.assign(globalThis, { [name]: value }), [
    latePartGlobal,
    part,
  ] as const);
}

/**
 * Ends the splash as soon as every part that loads without being used is there, instead of after two seconds. If a part
 * never loads, the splash lasts its full time.
 */
export async function endSplashEarly(visitor: BrowserContext | Page): Promise<void> {
  await visitor.addInitScript((latePart) => {
    // Other documents are sandboxed, and the browser reports each script in them.
    if (document.contentType !== 'text/html') return;
    const endWhenComplete = () => {
      const late = Reflect.get(globalThis, latePart) as string | undefined;
      // The components of mf-content load no code before they are used.
      const missing = document.querySelector(
        `[data-remote]:not([data-remote="mf-content"]):not([data-remote="${late}"]):not([data-version])`,
      );
      if ((missing && late !== 'shell') || document.readyState === 'loading') return;
      if (!late && document.readyState !== 'complete') return;
      observer.disconnect();
      // The name is that of `endSplashEvent` in the shell's splash-scripts.ts.
      dispatchEvent(new Event('end-splash'));
    };
    const observer = new MutationObserver(endWhenComplete);
    observer.observe(document, { subtree: true, attributeFilter: ['data-version'] });
    addEventListener('DOMContentLoaded', endWhenComplete, { once: true });
    addEventListener('load', endWhenComplete, { once: true });
  }, latePartGlobal);
}

/**
 * Waits until the splash is gone and every section is usable, which takes some frames more. A key press before that is lost,
 * because Playwright does not wait for an element that cannot have the focus yet.
 */
export async function splashEnd(page: Page): Promise<void> {
  await page.locator('#splash').waitFor({ state: 'detached' });
  await page.locator('#root[inert], #root [inert]').first().waitFor({ state: 'detached' });
}

/** Opens the landing page, ends its splash early and waits for the end. */
export async function openPage(page: Page, url: string): Promise<void> {
  await endSplashEarly(page);
  await page.goto(url);
  await splashEnd(page);
}

/** Faults of a file on the network. A request that nothing answers hangs. */
export const networkFaults = {
  'answers 404': (route: Route) => route.fulfill({ status: 404, body: 'Not found.' }),
  hangs: () => Promise.resolve(),
} as const;

/** URL of the script with the entries of several parts. */
export const entryBundle = /\/entries\.[0-9a-f]{16}\.js$/;

/** Makes each part load its own entry, so that a test can break that of one part. */
export async function loseEntryBundle(page: Page): Promise<void> {
  await page.route(entryBundle, networkFaults['answers 404']);
}

/** Answers the first requests for each matching file with status 503. */
export async function failFirst(page: Page, address: RegExp, times = 1): Promise<void> {
  const requests = new Map<string, number>();
  await page.route(address, (route) => {
    const url = route.request().url();
    requests.set(url, (requests.get(url) ?? 0) + 1);
    return (requests.get(url) ?? 0) > times
      ? route.continue()
      : route.fulfill({ status: 503, body: 'Busy.' });
  });
}

/** URLs of the files of a version whose names begin like this. */
export function filesOf(
  { remote, version }: { readonly remote: RemoteName; readonly version: string },
  name = '',
): RegExp {
  return new RegExp(`/${remote}/${version.replaceAll('.', '\\.')}/${name}`);
}

/** Delays the matching requests. The result continues them, and lets later ones pass. */
export async function holdFiles(page: Page, address: RegExp): Promise<() => void> {
  const released = Promise.withResolvers<undefined>();
  await page.route(address, async (route) => {
    await released.promise;
    await route.continue();
  });
  return () => released.resolve(undefined);
}

/** Modifies a byte in the mark that `restamp` adds to a file, so that the test can detect whether a page runs the file. */
function changeOneByte(content: string): string {
  return content
    .replace('globalThis.tampered|=0', 'globalThis.tampered|=1')
    .replace('--tampered:0', '--tampered:1');
}

/** Changes the matching files, by default in one byte. */
export async function tamperWith(page: Page, address: RegExp, edit = changeOneByte): Promise<void> {
  await page.route(address, (route) => change(route, edit));
}

async function change(route: Route, edit: (content: string) => string): Promise<void> {
  const response = await route.fetch();
  const content = await response.text();
  const edited = edit(content);
  // A test that changes nothing proves nothing.
  if (edited === content) throw new Error(`${route.request().url()} was not changed.`);
  // Both describe the body before the change.
  const ofOldBody = ['content-encoding', 'content-length'];
  const headers = Object.fromEntries(
    Object.entries(response.headers()).filter(([name]) => !ofOldBody.includes(name)),
  );
  await route.fulfill({ response, headers, body: edited });
}

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

/** The reports of parts in recorded reports, all or those of a measure. */
export function reportsOfParts(
  reports: readonly string[],
  wanted?: PartReport['measure'],
): readonly PartReport[] {
  return reports
    .flatMap((report) => pageReport.parse(JSON.parse(report)).parts)
    .filter(({ measure }) => wanted === undefined || measure === wanted);
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

/** Hides the page, because it sends its reports then. Resolves with the service's response. */
export async function hidePage(page: Page): Promise<Response> {
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === pageReportPath);
  await pretendHidden(page);
  return answered;
}
