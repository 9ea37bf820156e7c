import { releaseDocument } from '@countersign/contracts/release-document';
import type { Page } from '@playwright/test';
import { expectHydrated, expectShown } from '../checks/expect-whole-page.ts';
import { restamp } from '../site/site-test.ts';
import { builtFolder } from '../site/running-site.ts';
import { expect, pricingVersions, test } from './release-test.ts';

/** Path → transferred bytes, with headers. Without HTTP/2, the headers of the page have 1.8 kB. */
type Loaded = Readonly<Record<string, number>>;

/** Visits a URL and waits until the page is hydrated. Returns the files that the browser loaded. */
async function visit(page: Page, url: string, version: string): Promise<Loaded> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const paths = new Map<string, string>();
  const loaded: Record<string, number> = {};
  session.on('Network.requestWillBeSent', ({ requestId, request }) =>
    paths.set(requestId, new URL(request.url).pathname),
  );
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const path = paths.get(requestId) ?? '';
    if (!path.startsWith('/api/') && encodedDataLength > 0) loaded[path] = encodedDataLength;
  });
  await page.goto(url, { waitUntil: 'load' });
  await expectShown(page, 'mf-pricing', version);
  for (const remote of ['mf-header', 'mf-leads'] as const) await expectHydrated(page, remote);
  await session.detach();
  return loaded;
}

const total = (loaded: Loaded) => Object.values(loaded).reduce((sum, bytes) => sum + bytes, 0);

test('deltas: a returning visitor loads only the differences of each release and rollback', async ({
  page,
  released: { url, release, stable, dataDirectory },
}) => {
  expect(total(await visit(page, url, stable))).toBeGreaterThan(100_000);

  const again = await visit(page, `${url}/?utm_source=mail`, stable);
  expect(total(again), JSON.stringify(again)).toBeLessThan(2_500);

  await release.run('promote', 'mf-pricing', pricingVersions.good);
  const newPricing = await visit(page, url, pricingVersions.good);
  expect(total(newPricing), JSON.stringify(newPricing)).toBeLessThan(6_000);

  const { shell } = releaseDocument.parse(
    (await release.run<{ readonly release: unknown }>('status')).release,
  );
  await release.publish('shell', await restamp(builtFolder('shell'), dataDirectory, '90.0.0'));
  await release.run('promote', 'shell', '90.0.0');
  const newShell = await visit(page, url, pricingVersions.good);
  expect(total(newShell), JSON.stringify(newShell)).toBeLessThan(4_000);

  await release.run('rollback', 'mf-pricing');
  const rolledBack = await visit(page, url, stable);
  expect(total(rolledBack), JSON.stringify(rolledBack)).toBeLessThan(6_000);
  await release.run('rollback', 'shell', shell.version);
});
