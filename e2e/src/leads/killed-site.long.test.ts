import { once } from 'node:events';
import {
  childrenOf,
  makeDataDirectory,
  removeDirectory,
  startSite,
  type RunningSite,
} from '../site/running-site.ts';
import { expect, test } from '../site/site-test.ts';
import { readLeads } from '../site/stored-leads.ts';

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
