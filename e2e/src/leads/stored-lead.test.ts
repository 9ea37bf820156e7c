import { releaseDocumentElementId } from '@countersign/contracts/data-blocks';
import { fillIn, openLeadForm, rightEntries, sendButton } from '../driver/lead-forms.ts';
import { loseNextAnswer } from '../driver/lead-answers.ts';
import { notices } from '../checks/notices.ts';
import { expect, test } from '../site/site-test.ts';
import { readLeads } from '../site/stored-leads.ts';
import { splashEnd } from '../driver/splash-end.ts';

test.use({ fullSplash: true });

test('stored lead: resent after a lost response, stored once', async ({ openSite, page, site }) => {
  await openSite();
  const form = await openLeadForm(page, { type: 'contact' });
  const name = 'Ada of the lost answer';
  await fillIn(form, { ...rightEntries, Name: name });
  const ofHers = () => readLeads(site.dataDirectory).filter((lead) => lead.name === name);

  await loseNextAnswer(page);
  await sendButton(form).click();
  await expect(notices(page).getByText('Error', { exact: true })).toBeVisible();
  expect(ofHers()).toHaveLength(1);

  await openSite();
  await form.scrollIntoViewIfNeeded();
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue(name);
  await sendButton(form).click();
  await expect(notices(page).getByText('Success!', { exact: true })).toBeVisible();
  expect(ofHers()).toHaveLength(1);
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
  const form = await openLeadForm(page, { type: 'contact' });
  const name = 'Ada of the letter';
  await fillIn(form, { ...rightEntries, Name: name });
  await sendButton(form).click();
  await expect(notices(page).getByText('Success!', { exact: true })).toBeVisible();
  expect(readLeads(site.dataDirectory).filter((lead) => lead.name === name)).toMatchObject([
    {
      releaseId,
      attribution: {
        page: '/?utm_source=letter',
        referrer: 'http://letter.example/',
        utmSource: 'letter',
        releaseId,
      },
    },
  ]);
});
