import type { Page } from '@playwright/test';
import { closeNotice, notices } from '../driver/landing-page.ts';
import {
  acceptLeads,
  answerLeads,
  disconnectLeads,
  entriesOf,
  fieldOf,
  fillIn,
  holdLeads,
  leadForms,
  noEntries,
  openLeadForm,
  rightEntries,
  sendButton,
} from '../driver/lead-forms.ts';
import { expect, test } from '../site/page-test.ts';

const [, trial] = leadForms;

/** Text of each form's button, and the service's answer to the form. */
const texts = {
  contact: ['Send Message', 'Thank you for your message. We will get back to you shortly.'],
  trial: ['Start Free Trial', 'Thank you. We will be in touch shortly to start your free trial.'],
  demo: ['Schedule Demo', 'Thank you. We will be in touch shortly to arrange your demo.'],
} as const;

for (const leadForm of leadForms) {
  const { type } = leadForm;
  const [action, thanks] = texts[type];

  test(`lead form: ${type} is sent once, waits, and shows the service’s message`, async ({
    openSite,
    page,
  }) => {
    const { sent, release } = await holdLeads(page);
    await openSite();
    const form = await openLeadForm(page, leadForm);
    await fillIn(form, rightEntries);
    await expect(sendButton(form)).toHaveText(action);
    await sendButton(form).dblclick();
    await expect(sendButton(form)).toHaveText('Submitting...');
    await expect(sendButton(form)).toBeDisabled();
    await fieldOf(form, 'Name').press('Enter');
    await expect(notices(page)).toHaveCount(0);

    const answered = page.waitForResponse(`**/api/${type}`);
    release();
    expect((await answered).status()).toBe(201);
    await expect(notices(page)).toHaveCount(1);
    await expect(notices(page).getByText('Success!', { exact: true })).toBeVisible();
    await expect(notices(page).getByText(thanks, { exact: true })).toBeVisible();
    const { Name: name, Email: email, Company: company, Message: message } = rightEntries;
    expect(sent).toEqual([
      {
        method: 'POST',
        path: `/api/${type}`,
        contentType: 'application/json',
        idempotencyKey: expect.stringMatching(/^"\d+(-\d+){3}"$/),
        payload: {
          ...{ name, email, company, message, submissionType: type },
          attribution: {
            ...{ page: '/', landingPage: '/', releaseId: expect.stringMatching(/^r-/) },
            parts: expect.arrayContaining([
              { part: 'shell', version: expect.stringMatching(/^\d/), group: 'stable' },
              { part: 'mf-leads', version: expect.stringMatching(/^\d/), group: 'stable' },
            ]),
          },
        },
      },
    ]);

    await expect(page.getByRole('dialog')).toHaveCount(0);
    const fresh = await openLeadForm(page, leadForm);
    await expect(sendButton(fresh)).toHaveText(action);
    await expect(sendButton(fresh)).toBeEnabled();
    expect(await entriesOf(fresh)).toEqual(noEntries);
  });
}

/** Failure of the service or of the network → the message in the form and in the notice. */
const failures: readonly (readonly [(page: Page) => Promise<void>, string])[] = [
  [(page) => answerLeads(page, 503, 'Please try again in an hour.'), '503: Please try again in an hour.'],
  [(page) => answerLeads(page, 500), '500: Internal Server Error'],
  [
    disconnectLeads,
    'We could not reach our server. Check your internet connection, then try again: what you typed is still here.',
  ],
];

test.describe(() => {
  test.use({ expectedReports: ['status of 503', 'status of 500', 'net::ERR_FAILED'] });

  test('lead form: after each failure it shows why, and can be resent', async ({ openSite, page }) => {
    await openSite();
    const form = await openLeadForm(page, trial);
    await fillIn(form, rightEntries);
    for (const [fail, message] of failures) {
      await fail(page);
      await sendButton(form).click();
      await expect(notices(page).getByText('Error', { exact: true })).toBeVisible();
      await expect(notices(page).getByText(message, { exact: true })).toBeVisible();
      await expect(notices(page)).toHaveCount(1);
      await expect(form.getByRole('status')).toHaveText(message);
      await expect(sendButton(form)).toBeFocused();
      await closeNotice(page).click();
      await expect(notices(page)).toHaveCount(0);
      expect(await entriesOf(form)).toEqual(rightEntries);
    }

    await acceptLeads(page, 'Now it is here.');
    await sendButton(form).click();
    await expect(notices(page).getByText('Now it is here.', { exact: true })).toBeVisible();
  });
});
