import { mergeTests } from '@playwright/test';
import { expectShown } from '../checks/expect-whole-page.ts';
import { toasts } from '../driver/landing-page.ts';
import { rightEntries, sendLead } from '../driver/lead-forms.ts';
import { openPage, pretendHidden, recordReports } from '../driver/open-page.ts';
import { test as pageTest } from '../site/page-test.ts';
import { expect, pricingVersions, test as releaseTest } from './release-test.ts';

/** Tests that fail on violations of the page's policy and on other messages in the console. */
const test = mergeTests(pageTest, releaseTest);

test('canary for 0 %: only tabs that request it get it, and send no reports', async ({ page, released }) => {
  const { good } = pricingVersions;
  await released.release.run('canary', 'mf-pricing', good, '--percent', '0');
  const reports = await recordReports(page);
  await openPage(page, `${released.url}/?variant=mf-pricing@${good}`);
  await expectShown(page, 'mf-pricing', good);
  const name = 'Ada who looks at a canary';
  await sendLead(page, { type: 'contact' }, { ...rightEntries, Name: name });
  await expect(toasts(page).getByText('Success!', { exact: true })).toBeVisible();
  const [lead] = released.leads(name);
  expect(lead?.attribution).toMatchObject({ page: '/' });
  expect(JSON.stringify(lead)).not.toContain(good);
  await pretendHidden(page);
  expect(reports).toEqual([]);

  await openPage(page, released.url);
  await expectShown(page, 'mf-pricing', released.stable);
});
