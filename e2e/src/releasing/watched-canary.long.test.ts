import { once } from 'node:events';
import { pageReport } from '@countersign/contracts/page-report';
import type { Browser, Page } from '@playwright/test';
import { fillIn, openLeadForm, rightEntries, sendButton } from '../driver/lead-forms.ts';
import { hidePage, openPage, recordReports } from '../driver/open-page.ts';
import { releaseCommand, startProgram, waitForLine } from '../site/running-site.ts';
import { expect, pricingVersions, type ReleasedSite, test } from './release-test.ts';

test.setTimeout(300_000);

type Act = (page: Page, version: string) => Promise<void>;

/** Opens the page as a new visitor, acts once mf-pricing runs, and leaves. Resolves to the version that ran. */
async function visit(browser: Browser, { url }: ReleasedSite, act: Act): Promise<string> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await openPage(page, url);
    const slot = page.locator('[data-remote="mf-pricing"][data-version]');
    const version = (await slot.getAttribute('data-version')) ?? '';
    await act(page, version);
    expect((await hidePage(page)).status()).toBe(204);
    return version;
  } finally {
    await context.close();
  }
}

/** Starts a watch of mf-pricing, and simulates visitors until it has decided. Resolves to its last line. */
async function watchWhile(browser: Browser, released: ReleasedSite, act: Act, minimumViews: number) {
  const words = ['watch', 'mf-pricing', '--interval', '1', '--views', `${minimumViews}`, '--promote'];
  const watch = startProgram([releaseCommand, ...words], { variables: released.variables });
  try {
    const lines: string[] = [];
    const closed = once(watch, 'close');
    await waitForLine(watch, /^canary: \d+ of \d+/, lines);
    while (watch.exitCode === null)
      await Promise.all([visit(browser, released, act), visit(browser, released, act)]);
    await closed;
    return lines.at(-1);
  } finally {
    watch.kill();
  }
}

test('watch: a good canary is promoted, and reports have no data of its visitors', async ({
  browser,
  page,
  released,
}) => {
  const { good } = pricingVersions;
  await released.release.canary('mf-pricing', good, 50);
  const last = await watchWhile(browser, released, async () => undefined, 8);
  expect(last).toMatch(new RegExp(`^mf-pricing ${good} is live for everybody: 0 of \\d+ views failed, 0 of`));
  expect((await released.release.status('mf-pricing')).live).toBe(good);

  const reports = await recordReports(page);
  await openPage(page, `${released.url}/?utm_source=letter`);
  const form = await openLeadForm(page, { type: 'contact' });
  await fillIn(form, rightEntries);
  const request = (await hidePage(page)).request();
  expect(await request.headerValue('cookie')).toBeNull();
  await expect.poll(() => reports.length).toBeGreaterThan(0);
  const sent = reports.map((text) => JSON.parse(text) as unknown);
  // Only fields of the contract.
  expect(sent).toEqual(sent.map((report) => pageReport.parse(report)));
  const kept = await page.evaluate(() => ({ ...localStorage, ...sessionStorage }));
  for (const secret of [...Object.values(kept), ...Object.values(rightEntries), 'letter'])
    expect(reports.join('\n')).not.toContain(secret);
});

test('watch: a canary that throws is rolled back', async ({ browser, released }) => {
  const { throwsOnRender } = pricingVersions;
  await released.release.canary('mf-pricing', throwsOnRender, 50);
  const last = await watchWhile(
    browser,
    released,
    async (page, version) => {
      expect(version).toBe(released.stable);
      await expect(page.getByRole('link', { name: 'Get Free' })).toBeVisible();
    },
    1_000,
  );
  expect(last).toMatch(
    new RegExp(`^mf-pricing ${throwsOnRender} was rolled back: (\\d+) of \\1 views failed, 0 of \\d+ of`),
  );
  expect(await released.release.status('mf-pricing')).toEqual({ live: released.stable, canary: undefined });
});

test('watch: a canary whose visitors send no leads is rolled back', async ({ browser, released }) => {
  const { good } = pricingVersions;
  await released.release.canary('mf-pricing', good, 50);
  const last = await watchWhile(
    browser,
    released,
    async (page, version) => {
      if (version === good) return;
      const form = await openLeadForm(page, { type: 'contact' });
      await fillIn(form, rightEntries);
      await sendButton(form).click();
      await expect(form.getByRole('status')).toContainText('Thank you');
    },
    1_000,
  );
  expect(last).toMatch(new RegExp(`^mf-pricing ${good} was rolled back: 0 leads in \\d+ views, \\d+ in`));
});

test('watch: a canary whose clicks are slow is rolled back', async ({ browser, released }) => {
  const { fixture, isSlow } = pricingVersions;
  await released.release.promote('mf-pricing', fixture);
  await released.release.canary('mf-pricing', isSlow, 50);
  const last = await watchWhile(
    browser,
    released,
    async (page) => {
      await page.getByRole('button', { name: 'Work', exact: true }).click();
      // Two frames later the browser has measured the click.
      await page.evaluate(
        () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
      );
    },
    1_000,
  );
  expect(last).toMatch(
    new RegExp(`^mf-pricing ${isSlow} was rolled back: (\\d+) of \\1 views slow, 0 of \\d+ of`),
  );
});
