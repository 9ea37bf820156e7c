import { hidePage, openPage, recordReports, reportsOfParts } from '../driver/open-page.ts';
import { expectShown, expectWholePage } from '../checks/expect-whole-page.ts';
import { expect, pricingVersions, test } from './release-test.ts';

const { good } = pricingVersions;

test('recovery: after a script removes the body, the page is restored without the canary', async ({
  page,
  released: { url, release, stable },
}) => {
  await release.run('canary', 'mf-pricing', good, '--percent', '100');
  const reports = await recordReports(page);
  await openPage(page, url);
  await expectShown(page, 'mf-pricing', good);

  await page.evaluate(() => document.body.replaceChildren());
  await expectShown(page, 'mf-pricing', stable);
  await expect(page.getByRole('link', { name: 'Get Free' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectWholePage(page);

  expect((await hidePage(page)).status()).toBe(204);
  // Only the failures, because an earlier report tells that the load has begun.
  await expect
    .poll(() => reportsOfParts(reports, 'failed'))
    .toEqual([{ part: 'mf-pricing', version: good, group: 'canary', measure: 'failed', cause: 'render' }]);
});
