import { telemetryReport } from '@countersign/contracts/telemetry';
import type { Page } from '@playwright/test';
import { expectShown } from '../faults/expect-whole-page.ts';
import { expect, pricingVersions, test } from './release-test.ts';
import { hidePage, recordReports } from './visits.ts';

const { good } = pricingVersions;

/** Ways in which code of a part can take the whole page away. */
const attacks: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'an error outside of every slot': async (page) => {
    await page.evaluate(() => {
      const original = window.matchMedia;
      window.matchMedia = () => {
        window.matchMedia = original;
        throw new Error('No');
      };
    });
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  },
  'a script that removes everything': (page) =>
    page.evaluate(() => document.getElementById('root')?.replaceChildren()),
};

for (const [what, attack] of Object.entries(attacks)) {
  test(`a page that is emptied by ${what} comes back without the canary, which is reported`, async ({
    page,
    released: { url, release, stable },
  }) => {
    await release.canary('mf-pricing', good, 100);
    const reports = await recordReports(page);
    await page.goto(url);
    await page.locator('#splash').waitFor({ state: 'detached' });
    await expectShown(page, 'mf-pricing', good);

    await attack(page);
    await expectShown(page, 'mf-pricing', stable);
    await expect(page.getByRole('link', { name: 'Get Free' })).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

    expect((await hidePage(page)).status()).toBe(204);
    await expect.poll(() => reports.length).toBeGreaterThan(0);
    const parts = reports.flatMap((report) => telemetryReport.parse(JSON.parse(report)).parts);
    expect(parts.filter(({ outcome }) => outcome === 'failed')).toEqual([
      { part: 'mf-pricing', version: good, group: 'canary', outcome: 'failed', cause: 'render' },
    ]);
  });
}
