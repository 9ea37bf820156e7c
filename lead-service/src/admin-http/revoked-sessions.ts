import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';

/** What a session is recognised by once its cookie has been checked. */
export interface SessionMark {
  readonly id: string;
  readonly expiresAt: string;
}

/** For how long an ended session is remembered after it has expired: with a clock that is ahead, it only seems so. */
const remembered = 30 * 24 * 60 * 60_000;

/** Ends a session for all instances, also for whoever has copied its cookie. */
export async function endSession(
  transaction: Transaction<Tables>,
  { id, expiresAt }: SessionMark,
): Promise<void> {
  const longExpired = new Date(Date.now() - remembered).toISOString();
  await transaction.deleteFrom('endedSessions').where('expiresAt', '<=', longExpired).execute();
  await transaction
    .insertInto('endedSessions')
    .values({ id, expiresAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

export async function isEnded(db: Kysely<Tables>, { id }: SessionMark): Promise<boolean> {
  const row = await db.selectFrom('endedSessions').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}
