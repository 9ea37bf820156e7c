import { remoteNames } from '@countersign/contracts/remotes';
import type { Page } from '@playwright/test';
import {
  expectHydrated,
  expectMarkup,
  expectShown,
  expectWholePage,
  touchSlots,
} from '../checks/expect-whole-page.ts';
import {
  filesOf,
  holdFiles,
  loseEntryBundle,
  pretendHidden,
  recordReports,
  reportsOfParts,
  splashEnd,
} from '../driver/open-page.ts';
import { broken, expect, live, sameBuild, test } from '../site/site-test.ts';

const remote = 'mf-pricing';
const others = remoteNames.filter((name) => name !== remote);
// The splash waits for code that comes late.
test.use({ fullSplash: true });

/** Longer than the splash, and than the time after which a version counts as late. */
const lateness = '00:08';

type HeldFiles = Awaited<ReturnType<typeof holdFiles>>;

/** How a wait for the code begins and ends. */
const waits: Readonly<
  Record<string, Readonly<Record<'begin' | 'end', (page: Page, files: HeldFiles) => unknown>>>
> = {
  'late: while code takes 8 s': {
    begin: () => undefined,
    end: (_page, files) => files.release(),
  },
  'offline: during 8 s without a network': {
    begin: async (page, files) => {
      for (const other of others) await expectHydrated(page, other);
      await page.context().setOffline(true);
      files.fail();
    },
    end: async (page) => {
      await page.unrouteAll({ behavior: 'wait' });
      await page.context().setOffline(false);
    },
  },
};

for (const [what, { begin, end }] of Object.entries(waits)) {
  test(`${what}, the markup is usable; then it hydrates`, async ({ page, site }) => {
    const { path, version } = await site.with(live(remote), broken(remote, sameBuild));
    const reports = await recordReports(page);
    const files = await holdFiles(page, filesOf({ remote, version }));
    await loseEntryBundle(page);
    await page.clock.install();
    await page.goto(`${site.url}${path}`, { waitUntil: 'domcontentloaded' });
    await page.clock.fastForward('00:02');
    await splashEnd(page);
    const requested = async () => {
      await touchSlots(page, remote);
      return page.locator(`script[src*="/${remote}/${version}/"]`).count();
    };
    await expect.poll(requested).toBeGreaterThan(0);
    await begin(page, files);

    const plan = page.getByRole('article', { name: 'Team Leader' });
    const yearly = plan.getByLabel('Yearly');
    const expectChosen = async () => {
      await expect(yearly).toBeChecked();
      await expect(yearly).toBeFocused();
      return page.evaluate(() => scrollY);
    };
    await yearly.click();
    await page.clock.fastForward(lateness);
    await expectMarkup(page, remote);
    for (const other of others) await expectHydrated(page, other);
    const place = await expectChosen();

    await end(page, files);
    await expectShown(page, remote, version);
    expect(await expectChosen()).toBe(place);
    await expect(plan.getByText('$129.99 USD per year')).toBeVisible();
    await expectWholePage(page);

    await pretendHidden(page);
    const failures = () =>
      reportsOfParts(reports, 'failed').map((part) => `${part.part} ${part.version} ${part.cause}`);
    await expect.poll(failures).toEqual([`${remote} ${version} late`]);
  });
}
