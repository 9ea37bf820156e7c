import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

  await release.promote('mf-pricing', pricingVersions.good);
  const newPricing = await visit(page, url, pricingVersions.good);
  expect(total(newPricing), JSON.stringify(newPricing)).toBeLessThan(6_000);

  const { shell } = releaseDocument.parse(
    (await release.run<{ readonly release: unknown }>('status')).release,
  );
  await release.publish('shell', await restamp(builtFolder('shell'), dataDirectory, '90.0.0'));
  await release.promote('shell', '90.0.0');
  const newShell = await visit(page, url, pricingVersions.good);
  expect(total(newShell), JSON.stringify(newShell)).toBeLessThan(4_000);

  await release.run('rollback', 'mf-pricing');
  const rolledBack = await visit(page, url, stable);
  expect(total(rolledBack), JSON.stringify(rolledBack)).toBeLessThan(6_000);
  await release.promote('shell', shell.version);
});

/** Ways to damage the stored deltas of a release. */
const damages: Readonly<Record<string, (files: readonly string[]) => Promise<unknown>>> = {
  'are missing': (files) => Promise.all(files.map((file) => rm(file))),
  'are cut off': (files) =>
    changeEach(files, ([content]) => content?.subarray(0, Math.floor(content.length / 2))),
  'belong to another file': (files) => changeEach(files, ([, next]) => next),
  'are garbled': (files) => changeEach(files, ([content]) => content?.fill(0x55, content.length - 8)),
};

/** Replaces the content of each file. Gets its own content and that of the next one. */
async function changeEach(
  files: readonly string[],
  change: (contents: readonly Buffer[]) => Buffer | undefined,
): Promise<void> {
  const contents = await Promise.all(files.map((file) => readFile(file)));
  for (const [index, file] of files.entries()) {
    const next = contents[(index + 1) % contents.length];
    const changed = change([Buffer.from(contents[index] ?? ''), Buffer.from(next ?? '')]);
    await writeFile(file, changed ?? '');
  }
}

test('deltas: damaged ones do not cost a returning visitor the page', async ({
  page,
  released: { url, release, stable, dataDirectory },
}) => {
  await visit(page, url, stable);
  let version = stable;
  for (const [what, damage] of Object.entries(damages)) {
    version = version === pricingVersions.good ? pricingVersions.better : pricingVersions.good;
    await release.promote('mf-pricing', version);
    const stored = await readdir(dataDirectory, { recursive: true, withFileTypes: true });
    const deltas = stored.filter((file) => file.isFile() && /\/deltas\//.test(file.parentPath));
    await damage(deltas.map((file) => join(file.parentPath, file.name)));
    const loaded = await visit(page, url, version);
    expect(loaded['/'], `the whole page, if deltas ${what}`).toBeGreaterThan(10_000);
  }
});
