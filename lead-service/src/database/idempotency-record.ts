import { hash } from 'node:crypto';
import type { IdempotencyRecordRow, LeadRow } from './tables.ts';

/** The record of a lead before the lead is stored. */
export type IdempotencyClaim = Omit<IdempotencyRecordRow, 'leadId'>;

/** In milliseconds. A key that the sender chose identifies a lead for this long. */
const keyLifetime = 24 * 60 * 60_000;
/** In milliseconds. Without a key, equal text from the same person is one lead for this long. */
const sameTextLifetime = 10 * 60_000;

/**
 * The record that makes repeated submissions one lead.
 *
 * @param fingerprint hash of the user text, equal for equal leads
 * @param key the sender's idempotency key, if any
 */
export function idempotencyRecord(
  fingerprint: string,
  receivedAt: string,
  key: string | undefined,
): IdempotencyClaim {
  const lifetime = key === undefined ? sameTextLifetime : keyLifetime;
  return {
    key: key === undefined ? `same:${fingerprint}` : `key:${hash('sha256', JSON.stringify([key]))}`,
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
