import type { Browser, BrowserContext } from '@playwright/test';
import { expectShown, shownVersions } from '../checks/expect-whole-page.ts';
import { expect, pricingVersions, type ReleasedSite, test } from './release-test.ts';

const { good, better } = pricingVersions;

/** Storage that a browser keeps between two visits. */
type Memory = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Visits with the given storage. Returns the shown version of mf-pricing and the storage afterwards. */
async function visit(browser: Browser, { url }: ReleasedSite, memory?: Memory) {
  const context = await browser.newContext(memory ? { storageState: memory } : {});
  const page = await context.newPage();
  const shown = async () => {
    await expect.poll(async () => (await shownVersions(page, 'mf-pricing'))[0]).toMatch(/^\d/);
    return (await shownVersions(page, 'mf-pricing'))[0];
  };
  await page.goto(url);
  const first = await shown();
  if (!memory) {
    await page.reload();
    await expectShown(page, 'mf-pricing', String(first));
  }
  const visitor = { version: first, memory: await context.storageState() };
  await context.close();
  return visitor;
}

test('canary: a visitor keeps the variant over reloads, visits, and larger percentages', async ({
  browser,
  released,
}) => {
  const { release, stable } = released;
  await release.canary('mf-pricing', good, 50);
  const visitors = [];
  while (new Set(visitors.map(({ version }) => version)).size < 2)
    visitors.push(await visit(browser, released));
  const inCanary = visitors.map(({ version }) => version === good);
  expect(visitors.map(({ version }) => version)).toEqual(inCanary.map((is) => (is ? good : stable)));

  await release.canary('mf-pricing', better, 50);
  const later = [];
  for (const { memory } of visitors) later.push((await visit(browser, released, memory)).version);
  expect(later).toEqual(inCanary.map((is) => (is ? better : stable)));

  await release.canary('mf-pricing', better, 60);
  for (const [index, { memory }] of visitors.entries()) {
    if (inCanary[index]) expect((await visit(browser, released, memory)).version).toBe(better);
  }

  await release.canary('mf-pricing', better, 100);
  for (const { memory } of visitors) expect((await visit(browser, released, memory)).version).toBe(better);
});
