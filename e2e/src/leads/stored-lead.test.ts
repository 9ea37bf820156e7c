import { releaseDocumentElementId } from '@countersign/contracts/page-markup';
import { leadForms, loseNextAnswer, rightEntries, sendButton, sendLead } from '../driver/lead-forms.ts';
import { toasts } from '../driver/landing-page.ts';
import { expect, test } from '../site/site-test.ts';
import { splashEnd } from '../driver/open-page.ts';

const [contact] = leadForms;

test.use({ fullSplash: true });

test('stored lead: resent after a lost response, stored once', async ({ openSite, page, site }) => {
  await openSite();
  const name = 'Ada of the lost response';
  await loseNextAnswer(page);
  const form = await sendLead(page, contact, { ...rightEntries, Name: name });
  await expect(toasts(page).getByText('Error', { exact: true })).toBeVisible();
  expect(site.leads(name)).toHaveLength(1);

  await openSite();
  await form.scrollIntoViewIfNeeded();
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue(name);
  await sendButton(form).click();
  await expect(toasts(page).getByText('Success!', { exact: true })).toBeVisible();
  expect(site.leads(name)).toHaveLength(1);
});

test('stored lead: contains its attribution and the release of the page', async ({ page, site }) => {
  await page.route('http://letter.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<a href="${site.url}/?utm_source=letter">Try it</a>` }),
  );
  await page.goto('http://letter.example/');
  await page.getByRole('link').click();
  await splashEnd(page);
  const { releaseId } = JSON.parse(await page.locator(`#${releaseDocumentElementId}`).innerHTML()) as {
    releaseId: string;
  };
  const name = 'Ada of the letter';
  await sendLead(page, contact, { ...rightEntries, Name: name });
  await expect(toasts(page).getByText('Success!', { exact: true })).toBeVisible();
  expect(site.leads(name)).toMatchObject([
    {
      releaseId,
      attribution: {
        page: '/?utm_source=letter',
        referrer: 'http://letter.example/',
        utmSource: 'letter',
        landingPage: '/?utm_source=letter',
        landingReferrer: 'http://letter.example/',
        releaseId,
      },
    },
  ]);
});
