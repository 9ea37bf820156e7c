import { answerLeads } from '../driver/lead-answers.ts';
import {
  entriesOf,
  fillIn,
  leadForms,
  openLeadForm,
  rightEntries,
  sendButton,
} from '../driver/lead-forms.ts';
import { expect, test } from '../site/page-test.ts';

test.use({ expectedReports: ['500 (Internal Server Error)'] });

test('notices: above an open dialog, announced and closable with the keyboard', async ({
  page,
  openSite,
}) => {
  await openSite();
  await answerLeads(page, { status: 500, body: 'The lead could not be stored.' });
  const form = await openLeadForm(page, leadForms[2]);
  await fillIn(form, rightEntries);
  await sendButton(form).press('Enter');

  // Located by role, which fails if it is hidden from assistive technology.
  const region = page.getByRole('region', { name: 'Notifications (F8)' });
  await expect(region.getByRole('listitem')).toContainText('500: The lead could not be stored.');
  await page.keyboard.press('F8');
  await expect(region.getByRole('listitem')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(region.getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(region.getByRole('listitem')).toHaveCount(0);
  expect(await entriesOf(form)).toEqual(rightEntries);
});
