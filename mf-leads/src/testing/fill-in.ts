import { within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';

/** Valid values for all fields, by label. */
export const validFields = {
  Name: 'Ada Byron',
  Email: 'ada@example.com',
  'Company (optional)': 'Analytical Engines',
  Message: 'We sign about forty contracts a month.',
} as const;

export type Fields = Partial<Record<keyof typeof validFields, string>>;

/** Replaces the values of fields by label. Pastes, because typing renders the form once for every letter. */
export async function fillIn(user: UserEvent, form: HTMLElement, fields: Fields): Promise<void> {
  for (const [name, text] of Object.entries(fields)) {
    const field = within(form).getByRole('textbox', { name });
    await user.clear(field);
    if (text) await user.paste(text);
  }
}

/** Values of the fields by label. */
export function readFields(form: HTMLElement): Fields {
  const valueOf = (name: string) => within(form).getByRole<HTMLInputElement>('textbox', { name }).value;
  return Object.fromEntries(Object.keys(validFields).map((name) => [name, valueOf(name)]));
}
