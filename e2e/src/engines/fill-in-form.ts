import { rightEntries } from '../driver/lead-forms.ts';
import { readLeads } from '../site/stored-leads.ts';
import type { Visitor } from './engine.ts';
import { focusOn, press } from './visit-page.ts';

/** An address whose domain Chromium alone converts to ASCII, and the same as it is stored. */
export const international = { typed: 'ada@bücher.example', stored: 'ada@xn--bcher-kva.example' } as const;

interface FormEntries {
  /** Selector of the form. */
  readonly form?: string;
  readonly email?: string;
}

/** Fills in fields of a form with the keyboard, from the second on, and sends it. */
export async function fillInTheRestAndSend(
  visitor: Visitor,
  { form = '#contact form', email = rightEntries.Email }: FormEntries = {},
): Promise<void> {
  const entries = { ...rightEntries, Email: email };
  for (const name of ['Email', 'Company', 'Message'] as const) {
    await focusOn(visitor, `${form} [name=${name.toLowerCase()}]`);
    await visitor.type(entries[name]);
  }
  await press(visitor, `${form} button[type=submit]`);
}

/** Fills in a form with a name of its own, and sends it. */
export async function fillInAndSend(
  visitor: Visitor,
  name: string,
  { form = '#contact form', email }: FormEntries = {},
): Promise<void> {
  await focusOn(visitor, `${form} [name=name]`);
  await visitor.type(name);
  await fillInTheRestAndSend(visitor, { form, ...(email === undefined ? {} : { email }) });
}

/** Stored leads with a name. */
export const leadsOf = (dataDirectory: string, wanted: string) =>
  readLeads(dataDirectory).filter(({ name }) => name === wanted);

/** The lead that {@link fillInAndSend} sends, without its name. */
export const rightLead = {
  type: 'contact',
  email: rightEntries.Email,
  company: rightEntries.Company,
  message: rightEntries.Message,
};
