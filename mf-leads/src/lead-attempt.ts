import type { LeadFields, LeadType } from '@countersign/contracts/lead';
import { tabStorage } from './tab-storage.ts';

/** An attempt to send a lead. It lasts until an answer says that the lead is stored. */
export interface LeadAttempt {
  /** Makes one lead of all requests that carry it. */
  readonly key: string;
  readonly content: string;
}

const storageKeyOf = (type: LeadType) => `lead-attempt-${type}`;

/** Goes on with the last attempt, from before a reload too, if it has the same content. Otherwise starts a new one. */
export function continueAttempt(
  type: LeadType,
  { name, email, company = '', message }: LeadFields,
  last = readAttempt(type),
): LeadAttempt {
  const content = JSON.stringify([name, email, company, message]);
  if (last?.content === content) return last;
  const attempt = { key: newKey(), content };
  tabStorage.write(storageKeyOf(type), JSON.stringify(attempt));
  return attempt;
}

/** After this, the same content is another lead. */
export function endAttempt(type: LeadType): void {
  tabStorage.remove(storageKeyOf(type));
}

function readAttempt(type: LeadType): LeadAttempt | undefined {
  const key = tabStorage.readText(storageKeyOf(type), 'key') ?? '';
  const content = tabStorage.readText(storageKeyOf(type), 'content') ?? '';
  return /^[\w-]+$/.test(key) ? { key, content } : undefined;
}

function newKey(): string {
  // Not `crypto.randomUUID()`: older browsers lack it, and all others on origins that are not secure.
  return [...crypto.getRandomValues(new Uint32Array(4))].join('-');
}
