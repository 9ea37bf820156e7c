import type { LeadFields, LeadType } from '@countersign/contracts/lead';
import { tabStorage } from './tab-storage.ts';

/** What stands in the fields of a form, right or wrong. */
export type LeadDraft = Readonly<Record<keyof LeadFields, string>>;

export const emptyDraft: LeadDraft = { name: '', email: '', company: '', message: '' };

const keyOf = (type: LeadType) => `lead-draft-${type}`;

/** What was typed into a type's form before, in this tab. */
export function readDraft(type: LeadType): LeadDraft {
  const text = (field: keyof LeadDraft) => tabStorage.readText(keyOf(type), field) ?? '';
  return { name: text('name'), email: text('email'), company: text('company'), message: text('message') };
}

export function saveDraft(type: LeadType, draft: LeadFields): void {
  tabStorage.write(keyOf(type), JSON.stringify(draft));
}

export function clearDraft(type: LeadType): void {
  tabStorage.remove(keyOf(type));
}
