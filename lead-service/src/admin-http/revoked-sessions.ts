import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** Identity of a session whose cookie is verified. */
export interface SessionMark {
  readonly id: string;
  readonly expiresAt: string;
}

/** Milliseconds to keep a revoked session after its expiry, because a clock that is ahead expires it too early. */
const keepPeriod = 30 * 24 * 60 * 60_000;

/** Revokes a session in all instances, so that a copied cookie is invalid too. */
export async function revokeSession(
  transaction: Transaction<Tables>,
  { id, expiresAt }: SessionMark,
): Promise<void> {
  const longExpired = new Date(Date.now() - keepPeriod).toISOString();
  await transaction.deleteFrom('endedSessions').where('expiresAt', '<=', longExpired).execute();
  await transaction
    .insertInto('endedSessions')
    .values({ id, expiresAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

export async function isRevoked(db: Kysely<Tables>, { id }: SessionMark): Promise<boolean> {
  const row = await db.selectFrom('endedSessions').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}
