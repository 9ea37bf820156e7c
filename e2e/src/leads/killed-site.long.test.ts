import { once } from 'node:events';
import { notices } from '../driver/landing-page.ts';
import { entriesOf, leadForms, noEntries, rightEntries, sendLead } from '../driver/lead-forms.ts';
import {
  childrenOf,
  makeDataDirectory,
  removeDirectory,
  startSite,
  type RunningSite,
} from '../site/running-site.ts';
import { expect, test } from '../site/site-test.ts';

test.use({ fullSplash: true });

/** Kills the lead service and the site, which lose all data that is not on disk. */
async function killSite(site: RunningSite): Promise<void> {
  const ended = once(site.process, 'exit');
  for (const pid of await childrenOf(Number(site.process.pid))) process.kill(pid, 'SIGKILL');
  site.process.kill('SIGKILL');
  await ended;
}

test('stored lead: a lead from the form survives a kill and a restart', async ({ page }) => {
  const dataDirectory = await makeDataDirectory();
  let site = await startSite(dataDirectory);
  const { Name: name, Email: email, Company: company, Message: message } = rightEntries;
  const expected = [{ type: 'contact', name, email, company, message }];
  try {
    await page.goto(site.url);
    const form = await sendLead(page, leadForms[0]);
    await expect(notices(page).getByText('Success!', { exact: true })).toBeVisible();
    expect(await entriesOf(form)).toEqual(noEntries);
    expect(site.leads()).toMatchObject(expected);

    await killSite(site);
    expect(site.leads()).toMatchObject(expected);
    site = await startSite(dataDirectory);
    expect(site.leads()).toMatchObject(expected);
  } finally {
    await site.stop();
    await removeDirectory(dataDirectory);
  }
});
