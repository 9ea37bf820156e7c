import { within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';

/** A lead that is right in every field. */
export const rightFields = {
  Name: 'Ada Byron',
  Email: 'ada@example.com',
  'Company (optional)': 'Analytical Engines',
  Message: 'We sign about forty contracts a month.',
} as const;

type Fields = Partial<Record<keyof typeof rightFields, string>>;

/** Replaces what stands in the fields with these labels. */
export async function fillIn(user: UserEvent, form: HTMLElement, fields: Fields): Promise<void> {
  for (const [name, text] of Object.entries(fields)) {
    const field = within(form).getByRole('textbox', { name });
    await user.clear(field);
    if (text) await user.type(field, text);
  }
}

/** What stands in the fields, by label. */
export function fieldsOf(form: HTMLElement): Fields {
  const valueOf = (name: string) => within(form).getByRole<HTMLInputElement>('textbox', { name }).value;
  return Object.fromEntries(Object.keys(rightFields).map((name) => [name, valueOf(name)]));
}
