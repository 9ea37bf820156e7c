import type { RemoteName } from '@countersign/contracts/remotes';
import type { Page } from '@playwright/test';
import { expectHydrated, expectWholePage } from '../checks/expect-whole-page.ts';
import { expect, test } from '../site/site-test.ts';
import { entryBundle, networkFaults, tamperWith } from '../driver/open-page.ts';

/** The parts whose entries are in the bundle. */
const early = ['mf-header', 'mf-pricing', 'mf-leads'] as const satisfies readonly RemoteName[];

/** Records which parts have requested their own entry. */
function recordEntries(page: Page): ReadonlySet<string> {
  const requested = new Set<string>();
  page.on('request', (request) => {
    const [, part] = /\/(mf-[\w-]+)\/[^/]+\/entry\.\w+\.js$/.exec(request.url()) ?? [];
    if (part !== undefined) requested.add(part);
  });
  return requested;
}

test('entry bundle: the parts that load early need one request', async ({ page, openSite }) => {
  const requested = recordEntries(page);
  const bundles: string[] = [];
  page.on('request', (request) => {
    if (entryBundle.test(request.url())) bundles.push(request.url());
  });
  await openSite();
  for (const remote of early) await expectHydrated(page, remote);
  expect([...requested]).toEqual([]);
  expect(bundles).toHaveLength(1);
});

const bundleFaults: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  ...Object.fromEntries(
    Object.entries(networkFaults).map(([what, fault]) => [
      what,
      (page: Page) => page.route(entryBundle, fault),
    ]),
  ),
  'has an added line': (page) =>
    tamperWith(page, entryBundle, (content) => `globalThis.tampered = 1;${content}`),
};

for (const [what, breakBundle] of Object.entries(bundleFaults)) {
  test(`entry bundle: if it ${what}, each part loads its own entry`, async ({ page, site }) => {
    const requested = recordEntries(page);
    await breakBundle(page);
    // A file that hangs delays the load event of the page.
    await page.goto(site.url, { waitUntil: 'commit' });
    for (const remote of early) await expectHydrated(page, remote);
    expect([...requested].sort()).toEqual([...early].sort());
    await expectWholePage(page);
  });
}
