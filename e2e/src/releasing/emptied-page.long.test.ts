import type { Page } from '@playwright/test';
import { hidePage, openPage, recordReports, reportsOfParts } from '../driver/open-page.ts';
import { expectShown, expectWholePage } from '../checks/expect-whole-page.ts';
import { expect, pricingVersions, test } from './release-test.ts';

const { good } = pricingVersions;

/** Removed content → code that removes it. */
const attacks: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'the body': (page) => page.evaluate(() => document.body.replaceChildren()),
  'one slot': (page) => page.evaluate(() => document.querySelector('[data-exposed="./hero"]')?.remove()),
};

for (const [what, attack] of Object.entries(attacks)) {
  test(`recovery: after a script removes ${what}, the page is restored without the canary`, async ({
    page,
    released: { url, release, stable },
  }) => {
    await release.canary('mf-pricing', good, 100);
    const reports = await recordReports(page);
    await openPage(page, url);
    await expectShown(page, 'mf-pricing', good);

    await attack(page);
    await expectShown(page, 'mf-pricing', stable);
    await expect(page.getByRole('link', { name: 'Get Free' })).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectWholePage(page);

    expect((await hidePage(page)).status()).toBe(204);
    // An earlier report tells that the load has begun.
    await expect
      .poll(() => reportsOfParts(reports, 'failed'))
      .toEqual([{ part: 'mf-pricing', version: good, group: 'canary', measure: 'failed', cause: 'render' }]);
  });
}

test('recovery: a part that breaks a browser function removes neither the page nor itself', async ({
  page,
  released: { url, release },
}) => {
  await release.canary('mf-pricing', good, 100);
  await openPage(page, url);
  await expectShown(page, 'mf-pricing', good);
  await page.evaluate(() => {
    const original = window.matchMedia;
    window.matchMedia = () => {
      window.matchMedia = original;
      throw new Error('No');
    };
  });
  const reported = page.waitForEvent('console', (message) => message.text().includes(' failed.'));
  await page.getByRole('banner').getByRole('link', { name: 'Pricing' }).click();
  await reported;
  await expectShown(page, 'mf-pricing', good);
  await expectWholePage(page);
});
