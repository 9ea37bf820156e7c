import { pageReport } from '@countersign/contracts/page-report';
import { pageReportPath } from '@countersign/contracts/page-report-path';
import { mergeTests, type Page } from '@playwright/test';
import { hidePage, openPage, pretendHidden, recordReports } from '../driver/open-page.ts';
import { expectShown } from '../checks/expect-whole-page.ts';
import { restamp } from '../site/site-test.ts';
import { rightEntries, sendLead } from '../driver/lead-forms.ts';
import { notices } from '../driver/landing-page.ts';
import { builtFolder, releaseCommand, startProgram, waitForLine } from '../site/running-site.ts';
import { expect, pricingVersions, test as releaseTest, type ReleasedSite } from './release-test.ts';
import { test as pageTest } from '../site/page-test.ts';

/** A version that was never published. */
const unpublished = '85.0.0';

/** Tests that fail on violations of the page's policy and on other messages in the console. */
const test = mergeTests(pageTest, releaseTest).extend<{
  /** Link to the page with a build that this machine serves during the test. */
  readonly linkToBuild: string;
}>({
  linkToBuild: async ({ released: { dataDirectory, url, variables } }, use) => {
    const built = await restamp(builtFolder('mf-pricing'), dataDirectory, unpublished);
    const args = ['override', 'mf-pricing', built, '--port', '0', '--site', url];
    const serving = startProgram([releaseCommand, ...args], { variables });
    await use(await waitForLine(serving, /^http:/));
    serving.kill();
  },
});

async function linkTo({ release, url }: ReleasedSite, ...args: readonly string[]): Promise<string> {
  const { link } = await release.run<{ link: string }>('override', 'mf-pricing', '--site', url, ...args);
  return link;
}

function bannerOf(page: Page) {
  return page.getByRole('complementary', { name: 'Developer override' });
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
  await openPage(page, linkToBuild);
  await expectShown(page, 'mf-pricing', unpublished);
  await expect(page.getByRole('table', { name: 'What each plan includes' })).toBeVisible();
  await expect(bannerOf(page)).toContainText(`mf-pricing ${unpublished} comes from http://localhost:`);
  await expect(page).toHaveURL(`${released.url}/?preview=`);

  await page.reload();
  await expectShown(page, 'mf-pricing', unpublished);
  await expect(bannerOf(page)).toBeVisible();

  const visitor = await browser.newPage();
  await openPage(visitor, released.url);
  await expectLivePage(visitor, released);
  await visitor.close();

  await bannerOf(page).getByRole('button', { name: 'Stop' }).click();
  await expectLivePage(page, released);
  await page.reload();
  await expectLivePage(page, released);
});

test('override: no report is sent, and leads contain no trace of it', async ({
  linkToBuild,
  page,
  released,
}) => {
  let requests = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === pageReportPath) requests += 1;
  });
  const reports = await recordReports(page);
  await openPage(page, linkToBuild);
  await expectShown(page, 'mf-pricing', unpublished);
  const name = 'Ada who tries something out';
  await sendLead(page, { type: 'contact' }, { ...rightEntries, Name: name });
  await expect(notices(page).getByText('Success!', { exact: true })).toBeVisible();
  const [lead, ...others] = released.leads(name);
  expect(others).toEqual([]);
  expect(lead?.attribution).toMatchObject({ page: '/' });
  const token = new URL(linkToBuild).searchParams.get('override') ?? '';
  expect(token).not.toBe('');
  for (const trace of ['override', unpublished, ...token.split('.')]) {
    expect(JSON.stringify(lead)).not.toContain(trace);
  }
  await pretendHidden(page);

  // Without the override the page reports again. All reports are from this one view.
  await bannerOf(page).getByRole('button', { name: 'Stop' }).click();
  await expectLivePage(page, released);
  expect((await hidePage(page)).status()).toBe(204);
  await expect.poll(() => reports.length).toBe(requests);
  expect(reports.join()).not.toContain(unpublished);
  const sent = reports.map((report) => pageReport.parse(JSON.parse(report)));
  expect(sent.flatMap(({ parts }) => parts).filter(({ part }) => part === 'mf-header')).toHaveLength(1);
  expect(sent.flatMap(({ vitals }) => vitals).filter((vital) => vital.name === 'FCP')).toHaveLength(1);
});

test('override: a stored version is shown in the same way', async ({ page, released }) => {
  await openPage(page, await linkTo(released, '--version', pricingVersions.good));
  await expectShown(page, 'mf-pricing', pricingVersions.good);
  await expect(bannerOf(page)).toContainText(`mf-pricing ${pricingVersions.good} comes from the store`);
  await bannerOf(page).getByRole('button', { name: 'Stop' }).click();
  await expectLivePage(page, released);
});
