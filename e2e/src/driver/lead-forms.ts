import type { Locator, Page } from '@playwright/test';

export interface LeadForm {
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
  const section = page.locator('#contact');
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

export const noEntries = { Name: '', Email: '', Company: '', Message: '' } as const satisfies Entries;

export function fieldOf(form: Locator, name: FieldName): Locator {
  return form.getByRole('textbox', { name });
}

/** Replaces the values of the named fields. */
export async function fillIn(form: Locator, entries: Entries): Promise<void> {
  for (const name of fields) {
    const text = entries[name];
    if (text !== undefined) await fieldOf(form, name).fill(text);
  }
}

/** Values of the fields. */
export async function entriesOf(form: Locator): Promise<Record<string, string>> {
  const entries = await Promise.all(
    fields.map(async (name) => [name, await fieldOf(form, name).inputValue()] as const),
  );
  return Object.fromEntries(entries);
}

/** The submit button, the only button of a form. */
export function sendButton(form: Locator): Locator {
  return form.getByRole('button');
}
