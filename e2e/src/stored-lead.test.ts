import { releaseDocumentElementId } from '@countersign/contracts/data-blocks';
import { once } from 'node:events';
import {
  childrenOf,
  makeDataDirectory,
  removeDirectory,
  startSite,
  type RunningSite,
} from './running-site.ts';
import { fillIn, openLeadForm, rightEntries, sendButton } from './lead-forms.ts';
import { loseNextAnswer } from './lead-answers.ts';
import { notices } from './notices.ts';
import { expect, test } from './site-test.ts';
import { readLeads } from './stored-leads.ts';
import { splashEnd } from './splash-end.ts';

test.use({ fullSplash: true });

/** Ends the lead service and the site without warning, as a power cut would. */
async function pullThePlug(site: RunningSite): Promise<void> {
  const ended = once(site.process, 'exit');
  for (const pid of await childrenOf(Number(site.process.pid))) process.kill(pid, 'SIGKILL');
  site.process.kill('SIGKILL');
  await ended;
}

test('stored lead: a lead from the form survives a kill and a restart', async ({ page }) => {
  const dataDirectory = await makeDataDirectory();
  let site = await startSite(dataDirectory);
  const lead = {
    type: 'contact',
    name: 'Ada Example',
    email: 'ada@example.com',
    company: 'Example & Sons',
    message: 'We sign forty contracts a week — on paper.',
  };
  try {
    await page.goto(site.url);
    await page.getByRole('textbox', { name: 'Name' }).fill(lead.name);
    await page.getByRole('textbox', { name: 'Email' }).fill(lead.email);
    await page.getByRole('textbox', { name: 'Company' }).fill(lead.company);
    await page.getByRole('textbox', { name: 'Message' }).fill(lead.message);
    await page.getByRole('button', { name: /^(Send|Submit)/ }).click();

    await expect(page.getByRole('status').filter({ hasText: 'Success!' }).first()).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('');
    expect(readLeads(dataDirectory)).toMatchObject([lead]);

    await pullThePlug(site);
    expect(readLeads(dataDirectory)).toMatchObject([lead]);
    site = await startSite(dataDirectory);
    expect(readLeads(dataDirectory)).toMatchObject([lead]);
  } finally {
    await site.stop();
    await removeDirectory(dataDirectory);
  }
});

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
