import type { LeadFields, LeadType } from '@countersign/contracts/lead';

/** What stands in the fields of a form, right or wrong. */
export type LeadDraft = Readonly<Record<keyof LeadFields, string>>;

export const emptyDraft: LeadDraft = { name: '', email: '', company: '', message: '' };

const keyOf = (type: LeadType) => `lead-draft-${type}`;

/** What was typed into a type's form before, in this tab. */
export function readDraft(type: LeadType): LeadDraft {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(type)) ?? 'null');
    return {
      name: textOf(stored, 'name'),
      email: textOf(stored, 'email'),
      company: textOf(stored, 'company'),
      message: textOf(stored, 'message'),
    };
  } catch {
    // Storage can be forbidden, and anyone can write to it: the form starts empty.
    return emptyDraft;
  }
}

export function saveDraft(type: LeadType, draft: LeadFields): void {
  try {
    sessionStorage.setItem(keyOf(type), JSON.stringify(draft));
  } catch {
    // Storage can be forbidden or full: the draft lasts as long as its form.
  }
}

export function clearDraft(type: LeadType): void {
  try {
    sessionStorage.removeItem(keyOf(type));
  } catch {
    // What could not be stored need not be removed.
  }
}

function textOf(stored: unknown, field: keyof LeadDraft): string {
  if (typeof stored !== 'object' || stored === null) return '';
  const value: unknown = Reflect.get(stored, field);
  return typeof value === 'string' ? value : '';
}
