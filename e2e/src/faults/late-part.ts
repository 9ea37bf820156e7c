import { remoteNames, type RemoteName } from '@countersign/contracts/remotes';
import { telemetryReport } from '@countersign/contracts/telemetry';
import type { Locator, Page } from '@playwright/test';
import { pretendHidden, recordReports } from '../releasing/visits.ts';
import {
  expectHydrated,
  expectMarkup,
  expectShown,
  expectWholePage,
  touchSlots,
} from './expect-whole-page.ts';
import { expect, faultyVersions, filesOf, test, type FaultySite } from './faulty-versions.ts';
import { holdFiles } from './spoil-files.ts';
import { splashEnd } from '../splash-end.ts';

const version = faultyVersions.sound;

/** Longer than the splash, and than the time after which a version counts as late. */
const lateness = '00:08';

/** What a visitor does in a slot whose code has not come. */
interface EarlyUse {
  /** Returns what has the focus then. */
  use(page: Page): Promise<Locator>;
  /** What is so before the code comes, and afterwards. */
  expectKept(page: Page): Promise<void>;
  /** What is so once the code has come. */
  expectAnswered(page: Page): Promise<void>;
}

const nothing = () => Promise.resolve();

const yearly = (page: Page) => page.getByRole('article', { name: 'Team Leader' }).getByLabel('Yearly');
const field = (page: Page, name: string) => page.locator('#contact').getByRole('textbox', { name });

const earlyUses = {
  'mf-header': {
    use: async (page) => {
      // The skip link, the logo, the first item.
      for (const key of ['Tab', 'Tab', 'Tab']) await page.keyboard.press(key);
      return page.getByRole('banner').getByRole('link', { name: 'Features' });
    },
    expectKept: nothing,
    expectAnswered: nothing,
  },
  'mf-content': {
    use: async (page) => {
      const link = page.getByRole('contentinfo').getByRole('link', { name: 'Contact' });
      await link.focus();
      return link;
    },
    expectKept: nothing,
    expectAnswered: nothing,
  },
  'mf-pricing': {
    use: async (page) => {
      await yearly(page).click();
      return yearly(page);
    },
    expectKept: (page) => expect(yearly(page)).toBeChecked(),
    expectAnswered: (page) =>
      expect(page.getByRole('article', { name: 'Team Leader' })).toContainText('$129.99 USD per year'),
  },
  'mf-leads': {
    use: async (page) => {
      await field(page, 'Email').fill('jo@example.com');
      await field(page, 'Message').pressSequentially('We sign');
      await page.keyboard.press('ArrowLeft');
      return field(page, 'Message');
    },
    expectKept: async (page) => {
      await expect(field(page, 'Email')).toHaveValue('jo@example.com');
      await expect(field(page, 'Message')).toHaveValue('We sign');
    },
    expectAnswered: async (page) => {
      // The text goes on where it was left.
      await page.keyboard.type('X');
      await expect(field(page, 'Message')).toHaveValue('We sigXn');
    },
  },
} satisfies Partial<Record<RemoteName, EarlyUse>>;

type UsedRemote = keyof typeof earlyUses;

/** Opens the page and waits until the code of the remote is on its way for every slot. */
async function openLoading(page: Page, remote: RemoteName, { url, releases }: FaultySite): Promise<void> {
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

/** What a visitor has begun in slots whose code comes late is as it was when the code is there, and goes on. */
async function expectTakeover(page: Page, remote: UsedRemote, end: () => Promise<void>): Promise<void> {
  const { use, expectKept, expectAnswered }: EarlyUse = earlyUses[remote];
  const focused = await use(page);
  await page.clock.fastForward(lateness);
  await expectMarkup(page, remote);
  for (const other of remoteNames.filter((name) => name !== remote)) await expectHydrated(page, other);
  await expectKept(page);
  await expect(focused).toBeFocused();
  const scrollTop = await page.evaluate(() => scrollY);

  await end();
  await expectShown(page, remote, version);
  await expectKept(page);
  await expect(focused).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(scrollTop);
  await expectAnswered(page);
  await expectWholePage(page);
}

/** The page reports that the code of a remote was late, and then that it was loaded. */
async function expectReportedLate(page: Page, remote: RemoteName, reports: readonly string[]): Promise<void> {
  await pretendHidden(page);
  const outcomes = () =>
    reports
      .flatMap((report) => telemetryReport.parse(JSON.parse(report)).parts)
      .filter(({ part }) => part === remote)
      .map((part) => `${part.version} ${part.outcome}`);
  await expect.poll(outcomes).toEqual([`${version} late`, `${version} loaded`]);
}

/** What becomes of a page to which the code of one remote comes after 8 s. */
export function testLatenessOf(remote: UsedRemote): void {
  test(`late: while the code of ${remote} takes 8 s, its markup is usable; then it hydrates`, async ({
    page,
    faulty,
  }) => {
    const reports = await recordReports(page);
    const { release } = await holdFiles(page, filesOf(remote, version));
    await openLoading(page, remote, faulty);
    await expectTakeover(page, remote, () => Promise.resolve(release()));
    await expectReportedLate(page, remote, reports);
  });

  test(`offline: during 8 s offline, the markup of ${remote} is usable; its code then loads`, async ({
    page,
    faulty,
  }) => {
    const reports = await recordReports(page);
    const { fail } = await holdFiles(page, filesOf(remote, version));
    await openLoading(page, remote, faulty);
    for (const other of remoteNames.filter((name) => name !== remote)) await expectHydrated(page, other);
    await page.context().setOffline(true);
    fail();
    await expectTakeover(page, remote, async () => {
      await page.unrouteAll({ behavior: 'wait' });
      await page.context().setOffline(false);
    });
    await expectReportedLate(page, remote, reports);
  });
}
