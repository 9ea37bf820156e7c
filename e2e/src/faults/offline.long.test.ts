import { expectMarkup, expectShown, expectWholePage } from '../checks/expect-whole-page.ts';
import { filesOf, pretendHidden, recordReports, reportsOfParts, splashEnd } from '../driver/open-page.ts';
import { broken, expect, fixture, live, test } from '../site/site-test.ts';
import { slotsOf } from '../driver/landing-page.ts';

const remote = 'mf-pricing';
test.use({ fullSplash: true });

test('offline: a part whose lazy chunk was lost recovers without a reload', async ({ page, site }) => {
  const reports = await recordReports(page);
  const failures: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes(' failed.')) failures.push(message.text());
  });
  // A sound build in the place of a broken one: its lazy chunk shows "Loaded late", underlined by a lazy stylesheet.
  const lazy = await site.pageWith(live(remote), broken(remote, fixture));
  await page.route(filesOf(lazy, '\\d+\\.\\w+\\.js'), async (route) => {
    // Offline only once the HTML is there.
    await page.locator('[data-remote]').first().waitFor({ state: 'attached' });
    await page.context().setOffline(true);
    await route.abort('internetdisconnected');
  });
  await page.goto(lazy.path);
  await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(false);
  await splashEnd(page);
  await expectMarkup(page, remote);

  await page.unrouteAll({ behavior: 'wait' });
  await page.context().setOffline(false);
  await expectShown(page, remote, lazy.version);
  const text = slotsOf(page, remote).getByText('Loaded late');
  await expect(text).toHaveCSS('text-decoration-line', 'underline');
  await expectWholePage(page, remote);

  // Sends the reports.
  await pretendHidden(page);
  const viewed = { part: remote, version: lazy.version, measure: 'viewed' };
  await expect.poll(() => reportsOfParts(reports)).toContainEqual(expect.objectContaining(viewed));
  expect(reportsOfParts(reports, 'failed')).toEqual([]);
  expect(failures).toEqual([]);
});
