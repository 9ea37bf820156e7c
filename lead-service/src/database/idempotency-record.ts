import { hash } from 'node:crypto';
import type { LeadFields, LeadType } from '@countersign/contracts/lead';
import type { IdempotencyRecordRow, LeadRow } from './tables.ts';

/** The record of a lead before the lead is stored. */
export type IdempotencyClaim = Omit<IdempotencyRecordRow, 'leadId'>;

/** In milliseconds. A key that the sender chose identifies a lead for this long. */
const keyLifetime = 24 * 60 * 60_000;
/** In milliseconds. Without a key, equal text from the same person is one lead for this long. */
const sameTextLifetime = 10 * 60_000;

/** SHA-256 of the user text, in hexadecimal. Equal for equal leads, also if the address is capitalised differently. */
export function fingerprintOf(type: LeadType, { name, email, company = '', message }: LeadFields): string {
  return hashOf([type, name, email.toLowerCase(), company, message]);
}

const contentPrefix = 'same:';

/** Whether the key is derived from the text, and not chosen by the sender. */
export function isContentKey(key: string): boolean {
  return key.startsWith(contentPrefix);
}

/** The record that makes repeated submissions one lead. `key` is the sender's idempotency key, if any. */
export function idempotencyRecord(
  type: LeadType,
  fields: LeadFields,
  receivedAt: string,
  key: string | undefined,
): IdempotencyClaim {
  const fingerprint = fingerprintOf(type, fields);
  const lifetime = key === undefined ? sameTextLifetime : keyLifetime;
  return {
    key: key === undefined ? `${contentPrefix}${fingerprint}` : `key:${hashOf([key])}`,
    fingerprint,
    answerStatus: 201,
    createdAt: receivedAt,
    expiresAt: new Date(Date.parse(receivedAt) + lifetime).toISOString(),
  };
}

/** A unique record for a lead that must be stored even if its key is taken. */
export function idempotencyOfItself({ id, receivedAt }: LeadRow): IdempotencyClaim {
  return {
    key: `lead:${id}`,
    fingerprint: id,
    answerStatus: 202,
    createdAt: receivedAt,
    expiresAt: new Date(Date.parse(receivedAt) + keyLifetime).toISOString(),
  };
}

/** SHA-256, in hexadecimal. JSON separates the texts unambiguously. */
function hashOf(texts: readonly string[]): string {
  return hash('sha256', JSON.stringify(texts));
}
