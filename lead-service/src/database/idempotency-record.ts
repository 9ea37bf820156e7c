import { hash } from 'node:crypto';
import type { LeadFields, LeadType } from '@countersign/contracts/lead';
import type { AcceptedLead } from './accept-leads.ts';
import type { LeadRow } from './tables.ts';

/** For how long a key that the sender chose stands for one lead. */
const keyLifetime = 24 * 60 * 60_000;
/** For how long the same text from the same person is one lead, if it comes without a key. */
const sameTextLifetime = 10 * 60_000;

/** The same for everything that is the same lead: SHA-256 of what was typed, in hexadecimal. */
export function fingerprintOf(type: LeadType, { name, email, company = '', message }: LeadFields): string {
  return hashOf([type, name, email, company, message]);
}

const textPrefix = 'same:';

/** Whether a key was not chosen by the sender, and stands for everything with the same text. */
export function standsForText(key: string): boolean {
  return key.startsWith(textPrefix);
}

/** What makes one lead of all attempts to send it. `key` is the sender's own, if there is one. */
export function idempotencyRecord(
  type: LeadType,
  fields: LeadFields,
  receivedAt: string,
  key: string | undefined,
): AcceptedLead['idempotency'] {
  const fingerprint = fingerprintOf(type, fields);
  const lifetime = key === undefined ? sameTextLifetime : keyLifetime;
  return {
    key: key === undefined ? `${textPrefix}${fingerprint}` : `key:${hashOf([key])}`,
    fingerprint,
    answerStatus: 201,
    createdAt: receivedAt,
    expiresAt: new Date(Date.parse(receivedAt) + lifetime).toISOString(),
  };
}

/** For a lead that is to be stored whatever happened to its key. */
export function idempotencyOfItself({ id, receivedAt }: LeadRow): AcceptedLead['idempotency'] {
  return {
    key: `lead:${id}`,
    fingerprint: id,
    answerStatus: 202,
    createdAt: receivedAt,
    expiresAt: new Date(Date.parse(receivedAt) + keyLifetime).toISOString(),
  };
}

/** SHA-256, in hexadecimal. JSON keeps the texts apart. */
function hashOf(texts: readonly string[]): string {
  return hash('sha256', JSON.stringify(texts));
}
