import { createHash } from 'node:crypto';
import { HtmlValidate, type ConfigData } from 'html-validate';
import { accessibilityViolations } from '../checks/accessibility-violations.ts';
import { rightEntries } from '../driver/lead-forms.ts';
import { makeDataDirectory, removeDirectory, type RunningSite, startSite } from '../site/running-site.ts';
import { expect, test as base } from '../site/site-test.ts';

const adminToken = 'leads_of_this_test';
const adminTokens = `ada:read+write+export:${createHash('sha256').update(adminToken).digest('hex')}`;

/** The recommended rules, without those about the style of the source text. */
const rules: ConfigData['rules'] = {
  // Prettier formats the templates, and React serialises attributes in its own way.
  'doctype-style': 'off',
  'void-style': 'off',
  'attribute-boolean-style': 'off',
  'no-trailing-whitespace': 'off',
  'no-implicit-input-type': 'off',
  // React's `useId` begins with an underscore, which HTML allows.
  'valid-id': ['error', { relaxed: true }],
  // Tables that are a grid on narrow screens would lose their roles.
  'no-redundant-role': 'off',
  // A link without a target, which the footer announces as not available.
  'prefer-native-element': ['error', { exclude: ['link'] }],
};

const validator = new HtmlValidate({
  root: true,
  // The styles of a part precede its markup, so that its first paint needs no request.
  elements: ['html5', { style: { flow: true } }],
  extends: ['html-validate:recommended'],
  rules,
});

/** The service's pages have no scripts, so every button sends its form. */
const withoutScripts: ConfigData = { rules: { 'no-implicit-button-type': 'off' } };

async function violationsIn(html: string, overrides: ConfigData = {}): Promise<readonly string[]> {
  const { results } = await validator.validateString(html, overrides);
  return results
    .flatMap(({ messages }) => messages)
    .map(
      ({ ruleId, message, line, column, selector }) =>
        `${ruleId} at ${line}:${column} ${selector}: ${message}`,
    );
}

const test = base.extend<object, { readonly withInbox: RunningSite }>({
  withInbox: [
    async ({}, use) => {
      const dataDirectory = await makeDataDirectory();
      const site = await startSite(dataDirectory, {
        ADMIN_TOKENS: adminTokens,
        ADMIN_PORT: '0',
        PRIVACY_URL: 'https://www.example/privacy',
        CONSENT_TEXT: 'You may write to me.',
        CONSENT: 'required',
      });
      await use(site);
      await site.stop();
      await removeDirectory(dataDirectory);
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

/** The URL in the line that announces a page. */
function printedUrl({ lines }: RunningSite, kind: RegExp): string {
  const [, address = ''] = lines.map((line) => kind.exec(line)).find(Boolean) ?? [];
  expect(address, `a line ${kind}`).not.toBe('');
  return address;
}

const asBrowser = { accept: 'text/html' };

test('HTML: the page and the 404 page are valid', async ({ request, withInbox: { url } }) => {
  for (const path of ['/', '/no/such/page']) {
    const answer = await request.get(url + path, { headers: asBrowser });
    expect.soft(await violationsIn(await answer.text()), path).toEqual([]);
  }
});

test('HTML: a required consent is a box that the browser asks for', async ({
  request,
  withInbox: { url },
}) => {
  const html = await (await request.get(url, { headers: asBrowser })).text();
  expect(html).toMatch(/<input type="checkbox" required="" name="consentText" value="You may write to me\. /);
  expect(html).not.toContain('novalidate');
});

test('HTML: the pages after a form without JavaScript are valid', async ({ request, withInbox: { url } }) => {
  const { Name: name, Email: email, Company: company, Message: message } = rightEntries;
  for (const [form, heading] of [
    [{ name, email, company, message, submissionType: 'contact' }, 'Thank you'],
    [
      { name: 'A', email, company, message: 'Hi', submissionType: 'contact' },
      'Message must be at least 10 characters',
    ],
    [{}, 'Name must be at least 2 characters'],
  ] as const) {
    const answer = await request.post(`${url}/api/contact`, { form, headers: { ...asBrowser, origin: url } });
    const html = await answer.text();
    expect.soft(html, heading).toContain(heading);
    expect.soft(await violationsIn(html, withoutScripts), heading).toEqual([]);
  }
  const answer = await request.post(`${url}/api/contact`, {
    data: '{',
    headers: { ...asBrowser, origin: url },
  });
  expect.soft(await violationsIn(await answer.text(), withoutScripts), 'an error').toEqual([]);
});

test('HTML: the inbox is valid', async ({ request, withInbox }) => {
  const inbox = printedUrl(withInbox, /inbox on (http:\S+)/);
  const { origin } = new URL(inbox);
  const read = async (path: string) =>
    (await request.get(new URL(path, inbox).href, { headers: asBrowser })).text();
  expect.soft(await violationsIn(await read('/admin/inbox'), withoutScripts), 'login').toEqual([]);

  const login = {
    form: { token: adminToken },
    headers: { ...asBrowser, origin, 'sec-fetch-site': 'same-origin' },
  };
  const list = await (await request.post(`${origin}/admin/login`, login)).text();
  expect(list).toContain('Log out');
  expect.soft(await violationsIn(list, withoutScripts), 'list').toEqual([]);
  // The test above has stored a lead.
  const [lead = ''] = /\/admin\/inbox\/(?!search|export)[\w-]+/.exec(list) ?? [];
  expect(lead).not.toBe('');
  for (const path of [lead, '/admin/inbox/no-such-lead', '/admin/inbox?status=new']) {
    expect.soft(await violationsIn(await read(path), withoutScripts), path).toEqual([]);
  }
});

test('HTML: the release board is valid and accessible', async ({ page, withInbox }) => {
  const board = await page.goto(printedUrl(withInbox, /release board is on (http:\S+)/));
  expect(await violationsIn((await board?.text()) ?? '')).toEqual([]);
  expect(await accessibilityViolations(page)).toEqual([]);
});
