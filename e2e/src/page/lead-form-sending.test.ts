import { acceptLeads, answerLeads, disconnectLeads, holdLeads } from '../driver/lead-answers.ts';
import { closeNotice, notices } from '../checks/notices.ts';
import {
  entriesOf,
  fillIn,
  leadForms,
  noEntries,
  openLeadForm,
  rightEntries,
  sendButton,
} from '../driver/lead-forms.ts';
import { expect, test } from '../site/page-test.ts';

test.describe(() => {
  test.use({ expectedReports: ['net::ERR_FAILED'] });

  test('lead form: without a network it says what to do, keeps its input and the focus', async ({
    openSite,
    page,
  }) => {
    await openSite();
    const form = await openLeadForm(page, leadForms[0]);
    await fillIn(form, rightEntries);
    await disconnectLeads(page);
    await sendButton(form).click();
    const message =
      'We could not reach our server. Check your internet connection, then try again: what you typed is still here.';
    await expect(form.getByRole('status')).toHaveText(message);
    await expect(notices(page).getByText(message, { exact: true })).toBeVisible();
    expect(await entriesOf(form)).toEqual(rightEntries);
    await expect(sendButton(form)).toBeFocused();
    await acceptLeads(page, 'Now it is here.');
    await page.keyboard.press('Enter');
    await expect(form.getByRole('status')).toHaveText('Now it is here.');
  });
});

/** Text of the send button of each form. */
const actions = { contact: 'Send Message', trial: 'Start Free Trial', demo: 'Schedule Demo' };

/** What the service answers to each form. */
const thanks = {
  contact: 'Thank you for your message. We will get back to you shortly.',
  trial: 'Thank you. We will be in touch shortly to start your free trial.',
  demo: 'Thank you. We will be in touch shortly to arrange your demo.',
};

for (const leadForm of leadForms) {
  const { type } = leadForm;

  test(`lead form: ${type} is sent once, waits, and shows the service’s message`, async ({
    openSite,
    page,
  }) => {
    const { sent, release } = await holdLeads(page);
    await openSite();
    // A person fills in a form more slowly than the service responds with a token.
    const token = page.waitForResponse('**/api/form-token');
    const form = await openLeadForm(page, leadForm);
    await fillIn(form, rightEntries);
    await (await token).finished();
    await expect(sendButton(form)).toHaveText(actions[type]);

    await test.step('while the answer is awaited, the button says so and cannot be pressed', async () => {
      await sendButton(form).dblclick();
      await expect(sendButton(form)).toHaveText('Submitting...');
      await expect(sendButton(form)).toBeDisabled();
      await form.getByRole('textbox', { name: 'Name' }).press('Enter');
      await expect(notices(page)).toHaveCount(0);
    });

    const answered = page.waitForResponse(`**/api/${type}`);
    release();
    const answer = await answered;
    expect(answer.status()).toBe(201);
    await expect(notices(page)).toHaveCount(1);
    await expect(notices(page).getByText('Success!', { exact: true })).toBeVisible();
    await expect(notices(page).getByText(thanks[type], { exact: true })).toBeVisible();
    expect(sent).toEqual([
      {
        method: 'POST',
        path: `/api/${type}`,
        contentType: 'application/json',
        idempotencyKey: expect.stringMatching(/^"\d+(-\d+){3}"$/),
        payload: {
          name: rightEntries.Name,
          email: rightEntries.Email,
          company: rightEntries.Company,
          message: rightEntries.Message,
          submissionType: type,
          attribution: { page: '/', releaseId: expect.stringMatching(/^r-/) },
          formToken: expect.stringMatching(/./),
        },
      },
    ]);

    await expect(page.getByRole('dialog')).toHaveCount(0);
    const fresh = await openLeadForm(page, leadForm);
    await expect(sendButton(fresh)).toHaveText(actions[type]);
    await expect(sendButton(fresh)).toBeEnabled();
    expect(await entriesOf(fresh)).toEqual(noEntries);
  });

  test.describe(() => {
    test.use({ expectedReports: ['status of 503', 'status of 500'] });

    test(`lead form: ${type} keeps its input after a failure, shows why, and can be resent`, async ({
      openSite,
      page,
    }) => {
      await openSite();
      const form = await openLeadForm(page, leadForm);
      await fillIn(form, rightEntries);

      const failures = [
        { status: 503, body: 'We are moving house. Please try again in an hour.' },
        { status: 500, body: '' },
      ];
      for (const { status, body } of failures) {
        await answerLeads(page, { status, body });
        await sendButton(form).click();
        await expect(
          notices(page).getByText(`${status}: ${body || 'Internal Server Error'}`, { exact: true }),
        ).toBeVisible();
        await expect(notices(page).getByText('Error', { exact: true })).toBeVisible();
        await expect(notices(page)).toHaveCount(1);
        await closeNotice(page).click();
        await expect(notices(page)).toHaveCount(0);
        await expect(form).toBeVisible();
        expect(await entriesOf(form)).toEqual(rightEntries);
      }

      await acceptLeads(page, 'Now it is here.');
      await sendButton(form).click();
      await expect(notices(page).getByText('Now it is here.', { exact: true })).toBeVisible();
    });
  });
}
