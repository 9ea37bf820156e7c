import type { Kysely } from 'kysely';
import type { Tables } from '../store/tables.ts';

/** Since when the deliveries that are still to be sent wait (ISO 8601); undefined if there are none. */
export interface Undelivered {
  readonly oldest: string | undefined;
  /** Lies ahead if a clock does. */
  readonly newest: string | undefined;
}

export async function findUndelivered(db: Kysely<Tables>): Promise<Undelivered> {
  const { oldest, newest } = await db
    .selectFrom('outbox')
    .select(({ fn }) => [fn.min('createdAt').as('oldest'), fn.max('createdAt').as('newest')])
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow();
  // The type does not say so, but the least of nothing is null.
  return { oldest: oldest ?? undefined, newest: newest ?? undefined };
}
