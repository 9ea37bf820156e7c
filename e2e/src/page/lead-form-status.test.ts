import { acceptLeads, answerLeads } from '../driver/lead-answers.ts';
import { fillIn, leadForms, openLeadForm, rightEntries, sendButton } from '../driver/lead-forms.ts';
import { loadedNoticeRegion } from '../checks/notices.ts';
import { expect, test } from '../site/page-test.ts';

test.use({ expectedReports: ['status of 503'] });

for (const leadForm of leadForms) {
  test(`lead form: ${leadForm.type} shows the outcome in the form if notices cannot load`, async ({
    openSite,
    page,
  }) => {
    await openSite();
    await (await loadedNoticeRegion(page)).evaluate((region) => region.remove());
    const form = await openLeadForm(page, leadForm);
    await fillIn(form, rightEntries);

    await answerLeads(page, { status: 503, body: 'Please try again in an hour.' });
    await sendButton(form).click();
    await expect(form.getByRole('status')).toHaveText('503: Please try again in an hour.');

    await acceptLeads(page, 'Now it is here.');
    await sendButton(form).click();
    await expect(page.getByRole('status').getByText('Now it is here.', { exact: true })).toBeVisible();
  });
}
