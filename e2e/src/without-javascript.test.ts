import { AxeBuilder } from '@axe-core/playwright';
import { contentTooWide } from './content-too-wide.ts';
import { entriesOf, fillIn, rightEntries, sendButton } from './lead-forms.ts';
import { expect, test } from './site-test.ts';
import { readLeads } from './stored-leads.ts';

test.use({ javaScriptEnabled: false });

test('a visitor without JavaScript can write to us, and is thanked', async ({ page, site }) => {
  await page.goto(site.url);
  await expect(page.getByRole('main')).toContainText('needs JavaScript');
  await expect(page.locator('#splash')).toBeHidden();

  const form = page.locator('form');
  const lead = { ...rightEntries, Name: 'Ada without script' };
  await fillIn(form, lead);
  await sendButton(form).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you');
  expect(readLeads(site.dataDirectory).filter(({ name }) => name === lead.Name)).toMatchObject([
    { type: 'contact', email: lead.Email, company: lead.Company, message: lead.Message },
  ]);

  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you');
  expect(readLeads(site.dataDirectory).filter(({ name }) => name === lead.Name)).toHaveLength(1);
});

test('what a visitor without JavaScript got wrong is said, and nothing that was typed is lost', async ({
  page,
  site,
}) => {
  await page.goto(site.url);
  const wrong = { ...rightEntries, Name: 'Ada who types spaces', Message: `Hi${' '.repeat(10)}` };
  await fillIn(page.locator('form'), wrong);
  await sendButton(page.locator('form')).click();
  await expect(page.getByText('Message must be at least 10 characters')).toBeVisible();
  const form = page.locator('form');
  expect(await entriesOf(form)).toMatchObject({ Name: wrong.Name, Email: wrong.Email });
  await fillIn(form, { Message: rightEntries.Message });
  await sendButton(form).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you');
  expect(readLeads(site.dataDirectory).filter(({ name }) => name === wrong.Name)).toHaveLength(1);
});

for (const width of [320, 1280]) {
  test(`the form without JavaScript fits a window of ${width} px`, async ({ page, site }) => {
    await page.setViewportSize({ width, height: 640 });
    await page.goto(site.url);
    expect(await contentTooWide(page)).toEqual([]);
  });
}

test.describe(() => {
  // What looks for faults is a script itself: it gets the page as it is without those of the page.
  test.use({ javaScriptEnabled: true });

  test('axe finds nothing wrong with the form without JavaScript, in light and dark', async ({
    page,
    request,
    site,
  }) => {
    const html = await (await request.get(site.url)).text();
    const body = html.replaceAll(/<script[^]*?<\/script>|<\/?noscript>/g, '');
    await page.route(`${site.url}/`, (route) => route.fulfill({ contentType: 'text/html', body }));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(site.url);
      await expect(page.getByRole('textbox')).toHaveCount(4);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${id} at ${nodes[0]?.html ?? ''}`)).toEqual([]);
    }
  });
});
