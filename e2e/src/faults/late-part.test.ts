import { remoteNames } from '@countersign/contracts/remotes';
import { telemetryReport } from '@countersign/contracts/telemetry';
import type { Page } from '@playwright/test';
import { expectPrice } from '../checks/expect-prices.ts';
import { pretendHidden, recordReports } from '../checks/visits.ts';
import {
  expectHydrated,
  expectMarkup,
  expectShown,
  expectWholePage,
  touchSlots,
} from '../checks/expect-whole-page.ts';
import { expect, faultyVersions, filesOf, test, type FaultySite } from '../site/faulty-versions.ts';
import { holdFiles, loseEntryBundle } from '../site/spoil-files.ts';
import { splashEnd } from '../driver/splash-end.ts';

const remote = 'mf-pricing';
const others = remoteNames.filter((name) => name !== remote);
// A trace takes a third of a visit's time, and there are many visits.
test.use({ remote, trace: 'off' });

const version = faultyVersions.sound;

/** Longer than the splash, and than the time after which a version counts as late. */
const lateness = '00:08';

const yearly = (page: Page) => page.getByRole('article', { name: 'Team Leader' }).getByLabel('Yearly');

/** Opens the page and waits until the part's code has been requested. */
async function openLoading(page: Page, { url, releases }: FaultySite): Promise<void> {
  await loseEntryBundle(page);
  await page.clock.install();
  await page.goto(`${url}/?release=${releases.sound}`, { waitUntil: 'domcontentloaded' });
  await page.clock.fastForward('00:02');
  await splashEnd(page);
  const loading = async () => {
    await touchSlots(page, remote);
    return page.locator(`script[src*="/${remote}/${version}/"]`).count();
  };
  await expect.poll(loading).toBeGreaterThan(0);
}

/** Expects that a choice made before the code loads is kept, and shown in full once the code runs. */
async function expectTakeover(page: Page, end: () => Promise<void>): Promise<void> {
  await yearly(page).click();
  await page.clock.fastForward(lateness);
  await expectMarkup(page, remote);
  for (const other of others) await expectHydrated(page, other);
  await expect(yearly(page)).toBeChecked();
  await expect(yearly(page)).toBeFocused();
  const scrollTop = await page.evaluate(() => scrollY);

  await end();
  await expectShown(page, remote, version);
  await expect(yearly(page)).toBeChecked();
  await expect(yearly(page)).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(scrollTop);
  await expectPrice(page, 'Team Leader', '$129.99 USD per year');
  await expectWholePage(page);
}

/** Expects reports that the part's code was late, and then that it was loaded. */
async function expectReportedLate(page: Page, reports: readonly string[]): Promise<void> {
  await pretendHidden(page);
  const outcomes = () =>
    reports
      .flatMap((report) => telemetryReport.parse(JSON.parse(report)).parts)
      .filter(({ part }) => part === remote)
      .map((part) => `${part.version} ${part.outcome}`);
  await expect.poll(outcomes).toEqual([`${version} late`, `${version} loaded`]);
}

test('late: while its code takes 8 s, the markup of a part is usable; then it hydrates', async ({
  page,
  faulty,
}) => {
  const reports = await recordReports(page);
  const { release } = await holdFiles(page, filesOf(remote, version));
  await openLoading(page, faulty);
  await expectTakeover(page, () => Promise.resolve(release()));
  await expectReportedLate(page, reports);
});

test('offline: during 8 s offline, the markup of a part is usable; its code then loads', async ({
  page,
  faulty,
}) => {
  const reports = await recordReports(page);
  const { fail } = await holdFiles(page, filesOf(remote, version));
  await openLoading(page, faulty);
  for (const other of others) await expectHydrated(page, other);
  await page.context().setOffline(true);
  fail();
  await expectTakeover(page, async () => {
    await page.unrouteAll({ behavior: 'wait' });
    await page.context().setOffline(false);
  });
  await expectReportedLate(page, reports);
});
