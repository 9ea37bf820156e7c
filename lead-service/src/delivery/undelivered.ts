import type { Kysely } from 'kysely';
import type { Tables } from '../store/tables.ts';

/** Since when the oldest delivery that is still to be sent waits (ISO 8601), or undefined if none does. */
export async function oldestUndelivered(db: Kysely<Tables>): Promise<string | undefined> {
  const { oldest } = await db
    .selectFrom('outbox')
    .select(({ fn }) => fn.min('createdAt').as('oldest'))
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow();
  // The type does not say so, but the least of nothing is null.
  return oldest ?? undefined;
}
