import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  childrenOf,
  makeDataDirectory,
  removeDirectory,
  startSite,
  type RunningSite,
} from './running-site.ts';
import { expect, test } from './site-test.ts';

/** What the form was filled in with, as the service's own database has it. */
function readLeads(dataDirectory: string): unknown[] {
  const database = new DatabaseSync(join(dataDirectory, 'leads', 'leads.sqlite'), {
    readOnly: true,
    timeout: 5000,
  });
  try {
    const rows = database.prepare('select type, name, email, company, message from leads').all();
    return rows.map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}

/** Ends the lead service and the site without warning, as a power cut would. */
async function pullThePlug(site: RunningSite): Promise<void> {
  const ended = once(site.process, 'exit');
  for (const pid of await childrenOf(Number(site.process.pid))) process.kill(pid, 'SIGKILL');
  site.process.kill('SIGKILL');
  await ended;
}

test('a lead sent through the form lies in the database, also after a kill and a restart', async ({
  page,
}) => {
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
    expect(readLeads(dataDirectory)).toEqual([lead]);

    await pullThePlug(site);
    expect(readLeads(dataDirectory)).toEqual([lead]);
    site = await startSite(dataDirectory);
    expect(readLeads(dataDirectory)).toEqual([lead]);
  } finally {
    await site.stop();
    await removeDirectory(dataDirectory);
  }
});
