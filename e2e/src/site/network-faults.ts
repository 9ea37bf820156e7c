import type { Page, Route } from '@playwright/test';
import { changeOneByte } from './part-builds.ts';

/** Faults of a file on the network that the browser notices. */
export const failingFaults = {
  'answers 404': (route) => route.fulfill({ status: 404, body: 'Not found.' }),
  'answers 500': (route) => route.fulfill({ status: 500, body: 'Sorry.' }),
  'resets the connection': (route) => route.abort('connectionreset'),
  'answers HTML instead': (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><title>Log in</title><script>globalThis.tampered = 1</script>',
    }),
  'is cut off': (route) => change(route, (content) => content.slice(0, content.length / 2)),
} as const satisfies Record<string, (route: Route) => Promise<void>>;

/** All faults of a file on the network. A request that nothing answers hangs. */
export const networkFaults = { ...failingFaults, hangs: () => Promise.resolve() } as const;

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

interface HeldFiles {
  /** Continues the requests, and those that come later. */
  release(): void;
  /** Aborts the requests, as in a browser that is offline. */
  fail(): void;
}

/** Delays the matching requests until the test continues or aborts them. */
export async function holdFiles(page: Page, address: RegExp): Promise<HeldFiles> {
  let decide: ((outcome: 'arrive' | 'fail') => void) | undefined;
  const decided = new Promise<'arrive' | 'fail'>((resolve) => {
    decide = resolve;
  });
  await page.route(address, async (route) =>
    (await decided) === 'arrive' ? route.continue() : route.abort('internetdisconnected'),
  );
  return { release: () => decide?.('arrive'), fail: () => decide?.('fail') };
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
