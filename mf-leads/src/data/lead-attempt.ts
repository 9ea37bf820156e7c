// blind spot: only the service knows a repeated lead by its key, which the tests of the form compare.
import type { LeadFields, LeadType } from '@countersign/contracts/lead';
import { tabStorage } from './tab-storage.ts';

/** An attempt to send a lead, until the service confirms that it is stored. A click after a failure continues it, one before sends nothing. */
export interface LeadAttempt {
  /** Idempotency key: all requests with it result in one lead. */
  readonly key: string;
  /** The fields by which two leads are the same. */
  readonly content: string;
}

const storageKeyOf = (type: LeadType) => `lead-attempt-${type}`;

/** Continues `last` if the content is the same; otherwise begins an attempt. By default, `last` is the stored one, as after a reload. */
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

/** Ends the attempt, so that the same content makes a new lead. */
export function clearAttempt(type: LeadType): void {
  tabStorage.remove(storageKeyOf(type));
}

function readAttempt(type: LeadType): LeadAttempt | undefined {
  const key = tabStorage.readText(storageKeyOf(type), 'key') ?? '';
  if (!/^[\w-]+$/.test(key)) return undefined;
  return { key, content: tabStorage.readText(storageKeyOf(type), 'content') ?? '' };
}

function newKey(): string {
  // Not `crypto.randomUUID()`, because it is missing in older browsers and on insecure origins.
  return [...crypto.getRandomValues(new Uint32Array(4))].join('-');
}
