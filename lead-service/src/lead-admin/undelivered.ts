import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** Planning times of the pending deliveries (ISO 8601), or undefined if there are none. */
export interface Undelivered {
  readonly oldest: string | undefined;
  /** Lies in the future if a clock is ahead. */
  readonly newest: string | undefined;
}

export async function findUndelivered(db: Kysely<Tables>): Promise<Undelivered> {
  const { oldest, newest } = await db
    .selectFrom('outbox')
    .select(({ fn }) => [fn.min('createdAt').as('oldest'), fn.max('createdAt').as('newest')])
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow();
  // `min` of no rows is null, although the type does not say so.
  return { oldest: oldest ?? undefined, newest: newest ?? undefined };
}
