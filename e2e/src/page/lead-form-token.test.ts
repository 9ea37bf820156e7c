import { fieldOf, fillIn, leadForms, openLeadForm, rightEntries, sendButton } from '../driver/lead-forms.ts';
import { holdLeads } from '../driver/lead-answers.ts';
import { notices } from '../checks/notices.ts';
import { expect, test } from '../site/page-test.ts';

const [contact, trial] = leadForms;

test('form token: one request, and only after a form is used', async ({ openSite, page }) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) asked.push(pathname);
  });
  await openSite();
  const form = await openLeadForm(page, contact);
  await form.scrollIntoViewIfNeeded();
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  await page.waitForLoadState('networkidle');
  expect(asked).toEqual([]);

  const answered = page.waitForResponse('**/api/form-token');
  await fieldOf(form, 'Name').focus();
  expect((await answered).status()).toBe(200);
  await fieldOf(form, 'Email').focus();
  await openLeadForm(page, trial);
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(asked).toEqual(['/api/form-token']);
});

test.describe(() => {
  test.use({ expectedReports: ['status of 500'] });

  test('form token: a form without a token is sent, without a message about it', async ({
    openSite,
    page,
  }) => {
    await page.route('**/api/form-token', (route) => route.fulfill({ status: 500, body: 'Oops.' }));
    const { sent, release } = await holdLeads(page);
    release();
    await openSite();
    const form = await openLeadForm(page, trial);
    await fillIn(form, rightEntries);
    await expect(notices(page)).toHaveCount(0);
    await sendButton(form).click();
    await expect(notices(page).getByText('Success!', { exact: true })).toBeVisible();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.payload).not.toHaveProperty('formToken');
  });
});
