import type { Locator, Page, Route } from '@playwright/test';
import { sectionOf } from './landing-page.ts';

interface LeadForm {
  readonly type: 'contact' | 'trial' | 'demo';
  /** Label of the button that opens it above the page. The contact form is part of the page. */
  readonly opener?: string;
}

export const leadForms: readonly [LeadForm, Required<LeadForm>, Required<LeadForm>] = [
  { type: 'contact' },
  { type: 'trial', opener: 'Start Free Trial' },
  { type: 'demo', opener: 'Schedule Demo' },
];

/** Scrolls to a form, which loads its code, shows it and returns it. */
export async function openLeadForm(page: Page, { opener }: LeadForm): Promise<Locator> {
  const section = sectionOf(page, 'contact');
  await section.scrollIntoViewIfNeeded();
  await page.locator('[data-exposed="./call-to-action"][data-version]').waitFor({ state: 'attached' });
  if (!opener) return section.getByRole('form');
  await section.getByRole('button', { name: opener }).click();
  return page.getByRole('dialog').getByRole('form');
}

const fields = ['Name', 'Email', 'Company', 'Message'] as const;
type FieldName = (typeof fields)[number];
type Entries = Readonly<Partial<Record<FieldName, string>>>;

export const rightEntries = {
  Name: 'Ada Example',
  Email: 'ada@example.com',
  Company: 'Example & Sons',
  Message: 'We sign forty contracts a week — on paper.',
} as const satisfies Entries;

export function fieldOf(form: Locator, name: FieldName): Locator {
  return form.getByRole('textbox', { name });
}

export async function fillIn(form: Locator, entries: Entries): Promise<void> {
  for (const name of fields) {
    const text = entries[name];
    if (text !== undefined) await fieldOf(form, name).fill(text);
  }
}

export async function entriesOf(form: Locator): Promise<Record<string, string>> {
  const entries = await Promise.all(
    fields.map(async (name) => [name, await fieldOf(form, name).inputValue()] as const),
  );
  return Object.fromEntries(entries);
}

/** The submit button, the only button of a form. */
export const sendButton = (form: Locator): Locator => form.getByRole('button');

/** Opens a form, fills it in, sends it, and returns it. */
export async function sendLead(
  page: Page,
  leadForm: LeadForm,
  entries: Entries = rightEntries,
): Promise<Locator> {
  const form = await openLeadForm(page, leadForm);
  await fillIn(form, entries);
  await sendButton(form).click();
  return form;
}

/** URLs to which the forms send leads. */
const leadUrls = '**/api/{contact,demo,trial}';

type Handler = (route: Route) => Promise<void>;

const handlers = new WeakMap<Page, Handler>();

/**
 * Sets the handler of the page's leads. Each page has one route, which stays: a route that is replaced (`unroute`, `times`) may
 * still be running, and Playwright may then end the new one as well.
 */
async function handleLeads(page: Page, handler: Handler): Promise<void> {
  const isFirst = !handlers.has(page);
  handlers.set(page, handler);
  if (isFirst) await page.route(leadUrls, (route) => handlers.get(page)?.(route));
}

/** Responds to every lead instead of the service. The body of a failure is plain text, like the service's. */
export async function answerLeads(page: Page, status: number, body = ''): Promise<void> {
  await handleLeads(page, (route) => route.fulfill({ status, contentType: 'text/plain', body }));
}

/** Accepts every lead instead of the service. */
export async function acceptLeads(page: Page, message: string): Promise<void> {
  await handleLeads(page, (route) => route.fulfill({ status: 201, json: { message } }));
}

/** Passes a lead to the service, which stores it, and drops the response. Later leads are not affected. */
export async function loseNextAnswer(page: Page): Promise<void> {
  await handleLeads(page, async (route) => {
    handlers.set(page, (later) => later.continue());
    await route.fetch();
    await route.abort();
  });
}
