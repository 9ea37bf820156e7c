// blind spot (tabStorage.remove, clearAttempt, clearTexts, document.referrer, form.action, 'navigat): no step loads the page again after it has sent a lead, but tests do.
import type { LeadFields } from '@countersign/contracts/lead';
import type { LeadType } from '@countersign/contracts/lead-form';
import { clearAttempt } from '../data/lead-attempt.ts';
import { tabStorage } from '../data/tab-storage.ts';

/** Values of the form fields, valid or not. */
type LeadDraft = Readonly<Record<keyof LeadFields, string>>;

export const emptyDraft: LeadDraft = { name: '', email: '', company: '', message: '' };
export const fieldNames = Object.keys(emptyDraft) as (keyof LeadDraft)[];

const keyOf = (type: LeadType) => `lead-draft-${type}`;

export function draftIn(form: HTMLFormElement): LeadDraft {
  const entries = new FormData(form);
  return Object.fromEntries(fieldNames.map((name) => [name, entries.get(name) ?? ''])) as LeadDraft;
}

/** Restores the draft of a type from this tab's storage, into empty fields only. */
export function restoreDraft(type: LeadType, form: HTMLFormElement): void {
  // Only the service's page of thanks confirms a lead that the browser has sent. A reload after it, or Back, confirms nothing new.
  const isConfirmed = () =>
    performance.getEntriesByType('navigation').some((entry) => Reflect.get(entry, 'type') === 'navigate');
  if (document.referrer.startsWith(`${form.action}/`) && isConfirmed()) clearTexts(type);
  for (const name of fieldNames) {
    const field = form.elements.namedItem(name);
    const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    // blind spot (true): no step types before the code brings a draft back.
    if (isText && field.value === '') field.value = tabStorage.readText(keyOf(type), name) ?? '';
  }
}

export function saveDraft(type: LeadType, form: HTMLFormElement): void {
  tabStorage.write(keyOf(type), JSON.stringify(draftIn(form)));
}

/** Removes what was typed, also from the attempt to send it, once the service has confirmed that the lead is stored. */
export function clearTexts(type: LeadType): void {
  tabStorage.remove(keyOf(type));
  clearAttempt(type);
}
