import type { Page } from '@playwright/test';
import { expectMarkup, expectShown, expectWholePage } from '../checks/expect-whole-page.ts';
import { filesOf, pretendHidden, recordReports, reportsOfParts, splashEnd } from '../driver/open-page.ts';
import { broken, expect, type FaultyPage, fixture, live, test, type TestSite } from '../site/site-test.ts';

const remote = 'mf-pricing';
test.use({ fullSplash: true });

/** Opens a page whose browser goes offline at a file of the part, and waits until it is offline. */
async function openAndLoseNetworkAt(page: Page, site: TestSite, name: string): Promise<FaultyPage> {
  const faulty = await site.with(live(remote), broken(remote, fixture));
  await page.route(filesOf(faulty, name), async (route) => {
    await page.locator('[data-remote]').first().waitFor({ state: 'attached' });
    await page.context().setOffline(true);
    await route.abort('internetdisconnected');
  });
  await page.goto(`${site.url}${faulty.path}`);
  await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(false);
  return faulty;
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
    site,
  }) => {
    const reports = await recordReports(page);
    const failures: string[] = [];
    page.on('console', (message) => {
      if (message.text().includes(' failed.')) failures.push(message.text());
    });
    const { version } = await openAndLoseNetworkAt(page, site, name);
    await splashEnd(page);
    await expectMarkup(page, remote);

    await goOnline(page);
    await expectShown(page, remote, version);
    await expect(lazyText(page)).toHaveCSS('text-decoration-line', 'underline');
    await expectWholePage(page, remote);

    await pretendHidden(page);
    await expect.poll(() => reports.length).toBeGreaterThan(0);
    const viewed = { part: remote, version, measure: 'viewed' };
    expect(reportsOfParts(reports)).toContainEqual(expect.objectContaining(viewed));
    expect(reportsOfParts(reports, 'failed')).toEqual([]);
    expect(failures).toEqual([]);
  });
}

test('offline: a part recovers after an outage longer than all timeouts', async ({ page, site }) => {
  await page.clock.install();
  const { version } = await openAndLoseNetworkAt(page, site, '\\d+\\.\\w+\\.js');
  await page.clock.fastForward('30:00');
  await expectMarkup(page, remote);
  await goOnline(page);
  await expectShown(page, remote, version);
  await expect(lazyText(page)).toBeVisible();
});
