import type { RemoteName } from '@countersign/contracts/remotes';
import type { Page } from '@playwright/test';
import { expectHydrated, expectNothingTampered, expectWholePage } from '../checks/expect-whole-page.ts';
import { expect, test } from '../site/site-test.ts';
import { entryBundle, type NetworkFault, networkFaults, tamperWith } from '../site/network-faults.ts';

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

async function expectEachOnItsOwn(page: Page, requested: ReadonlySet<string>): Promise<void> {
  for (const remote of early) await expectHydrated(page, remote);
  expect([...requested].sort()).toEqual([...early].sort());
  await expectNothingTampered(page);
  await expectWholePage(page);
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

for (const fault of Object.keys(networkFaults) as NetworkFault[]) {
  test(`entry bundle: if the network ${fault} for it, each part loads its own entry`, async ({
    page,
    site,
  }) => {
    const requested = recordEntries(page);
    await page.route(entryBundle, networkFaults[fault]);
    // A file that hangs delays the event that the page is loaded.
    await page.goto(site.url, { waitUntil: 'commit' });
    await expectEachOnItsOwn(page, requested);
  });
}

test('entry bundle: with an added line it does not run, and each part loads its own entry', async ({
  page,
  openSite,
}) => {
  const requested = recordEntries(page);
  await tamperWith(page, entryBundle, (content) => `globalThis.tampered = 1;${content}`);
  await openSite();
  await expectEachOnItsOwn(page, requested);
});
