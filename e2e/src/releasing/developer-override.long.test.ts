import { telemetryPath } from '@countersign/contracts/telemetry-path';
import { spawn } from 'node:child_process';
import { telemetryReport } from '@countersign/contracts/telemetry';
import type { Page } from '@playwright/test';
import { environmentWith } from '../config.ts';
import { endSplashEarly } from '../driver/end-splash-early.ts';
import { expectShown } from '../checks/expect-whole-page.ts';
import { restamp } from '../site/restamp.ts';
import { fillIn, openLeadForm, rightEntries, sendButton } from '../driver/lead-forms.ts';
import { notices } from '../checks/notices.ts';
import { builtFolder, releaseCommand, waitForLine } from '../site/running-site.ts';
import { readLeads } from '../site/stored-leads.ts';
import { expect, pricingVersions, test as base, type ReleasedSite } from './release-test.ts';
import { hidePage, pretendHidden, recordReports } from '../checks/visits.ts';
import { splashEnd } from '../driver/splash-end.ts';

/** A version that was never published. */
const atHome = '85.0.0';

interface OverrideFixtures {
  /** Link to the page with a build that this machine serves during the test. */
  readonly linkToBuild: string;
  /** Fails the test if the page's policy is violated or the console has other messages. */
  readonly quietConsole: undefined;
}

const test = base.extend<OverrideFixtures>({
  linkToBuild: async ({ released }, use) => {
    const built = await restamp(builtFolder('mf-pricing'), released.dataDirectory, atHome);
    const words = ['mf-pricing', built, '--port', '0', '--site', released.url];
    const serving = spawn(process.execPath, [releaseCommand, 'override', ...words], {
      env: environmentWith(released.variables),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    try {
      await use(await waitForLine(serving, /^http:/));
    } finally {
      serving.kill();
    }
  },
  quietConsole: [
    async ({ context }, use) => {
      const reports: string[] = [];
      context.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) reports.push(message.text());
      });
      context.on('weberror', (error) => void reports.push(String(error.error())));
      await use(undefined);
      expect(reports, 'reported to the console').toEqual([]);
    },
    { auto: true },
  ],
});

async function linkTo({ release, url }: ReleasedSite, ...words: readonly string[]): Promise<string> {
  const { link } = await release.read<{ link: string }>('override', 'mf-pricing', '--site', url, ...words);
  return link;
}

function bannerOf(page: Page) {
  return page.getByRole('complementary', { name: 'Developer override' });
}

async function open(page: Page, link: string): Promise<void> {
  await endSplashEarly(page);
  await page.goto(link);
  await splashEnd(page);
}

/** Expects the live page, without the banner of an override. */
async function expectLivePage(page: Page, { stable }: ReleasedSite): Promise<void> {
  await expectShown(page, 'mf-pricing', stable);
  await expect(bannerOf(page)).toHaveCount(0);
  expect(page.url()).not.toContain('override');
}

test('override: only the developer sees the local build, until they end it', async ({
  browser,
  linkToBuild,
  page,
  released,
}) => {
  await open(page, linkToBuild);
  await expectShown(page, 'mf-pricing', atHome);
  await expect(page.getByRole('table', { name: 'What each plan includes' })).toBeVisible();
  await expect(bannerOf(page)).toContainText(`mf-pricing ${atHome} comes from http://localhost:`);
  await expect(page).toHaveURL(`${released.url}/?preview=`);

  await page.reload();
  await expectShown(page, 'mf-pricing', atHome);
  await expect(bannerOf(page)).toBeVisible();

  const visitor = await browser.newPage();
  await open(visitor, released.url);
  await expectLivePage(visitor, released);
  await visitor.close();

  await bannerOf(page).getByRole('button', { name: 'Stop' }).click();
  await expectLivePage(page, released);
  await page.reload();
  await expectLivePage(page, released);
});

test('override: no telemetry is sent, and leads contain no trace of it', async ({
  linkToBuild,
  page,
  released,
}) => {
  let requests = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === telemetryPath) requests += 1;
  });
  const reports = await recordReports(page);
  await open(page, linkToBuild);
  await expectShown(page, 'mf-pricing', atHome);
  const form = await openLeadForm(page, { type: 'contact' });
  const name = 'Ada who tries something out';
  await fillIn(form, { ...rightEntries, Name: name });
  await sendButton(form).click();
  await expect(notices(page).getByText('Success!', { exact: true })).toBeVisible();
  const [lead, ...others] = readLeads(released.dataDirectory).filter((stored) => stored.name === name);
  expect(others).toEqual([]);
  expect(lead?.attribution).toMatchObject({ page: '/' });
  const token = new URL(linkToBuild).searchParams.get('override') ?? '';
  expect(token).not.toBe('');
  for (const trace of ['override', atHome, ...token.split('.')]) {
    expect(JSON.stringify(lead)).not.toContain(trace);
  }
  await pretendHidden(page);

  // Without the override the page reports again. All reports are from this one view.
  await bannerOf(page).getByRole('button', { name: 'Stop' }).click();
  await expectLivePage(page, released);
  expect((await hidePage(page)).status()).toBe(204);
  await expect.poll(() => reports.length).toBe(requests);
  expect(reports.join()).not.toContain(atHome);
  const sent = reports.map((report) => telemetryReport.parse(JSON.parse(report)));
  expect(sent.flatMap(({ parts }) => parts).filter(({ part }) => part === 'mf-header')).toHaveLength(1);
  expect(sent.flatMap(({ vitals }) => vitals).filter((vital) => vital.name === 'FCP')).toHaveLength(1);
});

test('override: a stored version is shown in the same way', async ({ page, released }) => {
  await open(page, await linkTo(released, '--version', pricingVersions.good));
  await expectShown(page, 'mf-pricing', pricingVersions.good);
  await expect(bannerOf(page)).toContainText(`mf-pricing ${pricingVersions.good} comes from the store`);
  await bannerOf(page).getByRole('button', { name: 'Stop' }).click();
  await expectLivePage(page, released);
});

test('override: a modified, expired or foreign link shows the live page', async ({ page, released }) => {
  const link = new URL(await linkTo(released, '--version', pricingVersions.good));
  const [payload = '', signature] = (link.searchParams.get('override') ?? '').split('.');
  const content = Buffer.from(payload, 'base64url').toString().replace(/\}$/, ',"more":1}');
  link.searchParams.set('override', `${Buffer.from(content).toString('base64url')}.${signature}`);
  const expired = await linkTo(released, '--version', pricingVersions.good, '--minutes', '0');
  const elsewhere = await linkTo(
    released,
    '--version',
    pricingVersions.good,
    '--site',
    'https://staging.example',
  );
  const token = new URL(elsewhere).searchParams.get('override') ?? '';
  expect(token).not.toBe('');
  for (const refused of [link.href, expired, `${released.url}/?preview&override=${token}`]) {
    await open(page, refused);
    await expectLivePage(page, released);
  }
});
