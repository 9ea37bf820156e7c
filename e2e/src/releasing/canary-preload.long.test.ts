import type { Browser } from '@playwright/test';
import { openPage } from '../driver/open-page.ts';
import { shownVersions } from '../checks/expect-whole-page.ts';
import { expect, pricingVersions, type ReleasedSite, test } from './release-test.ts';

/** Visits with empty storage. Returns the shown version of mf-pricing and the requests for its files. */
async function visit(browser: Browser, { url }: ReleasedSite) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await openPage(page, url);
  const shown = async () => (await shownVersions(page, 'mf-pricing'))[0];
  await expect.poll(shown).toMatch(/^\d/);
  const loaded = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).map(
      ({ name, initiatorType }) => ({ path: new URL(name).pathname, initiatorType }),
    ),
  );
  const version = String(await shown());
  await context.close();
  return { version, files: loaded.filter(({ path }) => path.startsWith('/mf-pricing/')) };
}

test('preload: a browser preloads only the version of its own variant', async ({ browser, released }) => {
  const { release, stable } = released;
  const { good } = pricingVersions;
  await release.canary('mf-pricing', good, 50);
  const seen = new Set<string>();
  while (seen.size < 2) {
    const { version, files } = await visit(browser, released);
    seen.add(version);
    expect(files).not.toEqual([]);
    for (const { path, initiatorType } of files) {
      expect(path).toMatch(`/mf-pricing/${version}/`);
      expect(initiatorType, path).toBe('link');
    }
  }
  expect([...seen].sort()).toEqual([stable, good].sort());
});
