import type { Page, Route } from '@playwright/test';
import { changeOneByte } from './restamp.ts';

/** Ways in which a file does not arrive as it was published. */
export const networkFaults = {
  'answers 404': (route) => route.fulfill({ status: 404, body: 'Not found.' }),
  'answers 500': (route) => route.fulfill({ status: 500, body: 'Sorry.' }),
  'resets the connection': (route) => route.abort('connectionreset'),
  hangs: () => Promise.resolve(),
  'answers HTML instead': (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><title>Log in</title><script>globalThis.tampered = 1</script>',
    }),
  'is cut off': (route) => change(route, (content) => content.slice(0, content.length / 2)),
} as const satisfies Record<string, (route: Route) => Promise<void>>;

export type NetworkFault = keyof typeof networkFaults;

/** Changes the files whose address fits, by one byte if nothing else is said. */
export async function tamperWith(page: Page, address: RegExp, edit = changeOneByte): Promise<void> {
  await page.route(address, (route) => change(route, edit));
}

async function change(route: Route, edit: (content: string) => string): Promise<void> {
  const response = await route.fetch();
  const content = await response.text();
  const edited = edit(content);
  // A test that spoils nothing proves nothing.
  if (edited === content) throw new Error(`${route.request().url()} is as it was published.`);
  // The body is no longer as it travelled.
  const travelled = ['content-encoding', 'content-length'];
  const headers = Object.fromEntries(
    Object.entries(response.headers()).filter(([name]) => !travelled.includes(name)),
  );
  await route.fulfill({ response, headers, body: edited });
}
