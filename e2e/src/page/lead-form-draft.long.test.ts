import { acceptLeads } from '../driver/lead-answers.ts';
import { entriesOf, fillIn, leadForms, noEntries, openLeadForm, sendButton } from '../driver/lead-forms.ts';
import { notices } from '../checks/notices.ts';
import { expect, test } from '../site/page-test.ts';

test('draft: form input survives closing and reloading until the form is sent', async ({
  openSite,
  page,
}) => {
  const draftOf = (type: string) => ({
    Name: `Writer of ${type}`,
    Email: `${type}@`,
    Company: '',
    Message: `Half a ${type}`,
  });
  const expectDrafts = async () => {
    for (const leadForm of leadForms) {
      const form = await openLeadForm(page, leadForm);
      await expect(form).toBeVisible();
      expect(await entriesOf(form)).toEqual(draftOf(leadForm.type));
      if (leadForm.opener) await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
  };

  await openSite();
  for (const leadForm of leadForms) {
    const form = await openLeadForm(page, leadForm);
    expect(await entriesOf(form)).toEqual(noEntries);
    await fillIn(form, draftOf(leadForm.type));
    if (leadForm.opener) await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  await expectDrafts();
  await openSite();
  await expectDrafts();

  for (const leadForm of leadForms) {
    // A unique text, because the previous notice may still be visible.
    const thanks = `Thank you for the ${leadForm.type}.`;
    await acceptLeads(page, thanks);
    const form = await openLeadForm(page, leadForm);
    await fillIn(form, { Email: 'ada@example.com', Message: 'Long enough now.' });
    await sendButton(form).click();
    await expect(notices(page).getByText(thanks, { exact: true })).toBeVisible();
  }
  await openSite();
  for (const leadForm of leadForms) {
    const form = await openLeadForm(page, leadForm);
    expect(await entriesOf(form)).toEqual(noEntries);
    if (leadForm.opener) await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
});
