import type { Page } from '@playwright/test';
import { expectMarkup, expectShown, expectWholePage } from '../checks/expect-whole-page.ts';
import { splashEnd } from '../driver/open-page.ts';
import { pretendHidden, recordReports, reportsOfParts } from '../driver/page-reports.ts';
import { expect, filesOf, test, type FaultySite } from '../site/fault-test.ts';

const remote = 'mf-pricing';
test.use({ trace: 'off' });

/** Opens a page whose browser goes offline at a file of the part, and waits until it is offline. */
async function openAndLoseNetworkAt(page: Page, site: FaultySite, name: string): Promise<void> {
  await page.route(filesOf(site, name), async (route) => {
    await page.locator('[data-remote]').first().waitFor({ state: 'attached' });
    await page.context().setOffline(true);
    await route.abort('internetdisconnected');
  });
  await page.goto(site.url);
  await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(false);
}

async function goOnline(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'wait' });
  await page.context().setOffline(false);
}

const lazyText = (page: Page) => page.locator(`[data-remote="${remote}"]`).getByText('Loaded late');

for (const [what, name] of [
  ['the entry', 'entry\\.\\w+\\.js'],
  ['a lazy chunk', '\\d+\\.\\w+\\.js'],
  ['lazy styles', '\\d+\\.\\w+\\.css'],
] as const) {
  test(`offline: a part whose request for ${what} failed recovers without a reload`, async ({
    page,
    siteWith,
  }) => {
    const site = siteWith(remote, 'fixture');
    const reports = await recordReports(page);
    const failures: string[] = [];
    page.on('console', (message) => {
      if (message.text().includes(' failed.')) failures.push(message.text());
    });
    await openAndLoseNetworkAt(page, site, name);
    await splashEnd(page);
    await expectMarkup(page, remote);

    await goOnline(page);
    await expectShown(page, remote, site.version);
    await expect(lazyText(page)).toHaveCSS('text-decoration-line', 'underline');
    await expectWholePage(page, remote);

    await pretendHidden(page);
    await expect.poll(() => reports.length).toBeGreaterThan(0);
    const loaded = { part: remote, version: site.version, outcome: 'loaded' };
    expect(reportsOfParts(reports)).toContainEqual(expect.objectContaining(loaded));
    expect(reportsOfParts(reports, 'failed')).toEqual([]);
    expect(failures).toEqual([]);
  });
}

test('offline: a part recovers after an outage longer than all timeouts', async ({ page, siteWith }) => {
  const site = siteWith(remote, 'fixture');
  await page.clock.install();
  await openAndLoseNetworkAt(page, site, '\\d+\\.\\w+\\.js');
  await page.clock.fastForward('30:00');
  await expectMarkup(page, remote);
  await goOnline(page);
  await expectShown(page, remote, site.version);
  await expect(lazyText(page)).toBeVisible();
});
