import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { inTime } from '../platform/in-time.ts';

export interface DeliveryBacklog {
  /** Whether the database has answered. If not, the age continues from the last known delivery. */
  readonly isKnown: boolean;
  /** Age of the oldest pending delivery in seconds; 0 if there is none. */
  readonly oldestSeconds: number;
}

/** Reads the backlog. Concurrent calls share one query. */
export function watchBacklog(db: Kysely<Tables>): () => Promise<DeliveryBacklog> {
  let oldest: string | null = null;
  let probing: Promise<DeliveryBacklog> | undefined;
  async function probe(): Promise<DeliveryBacklog> {
    const answer = await inTime(() =>
      db
        .selectFrom('outbox')
        // `min` of no rows is null, although the type does not say so.
        .select(({ fn }) => fn.min<string | null>('createdAt').as('oldest'))
        .where('state', '=', 'pending')
        .executeTakeFirstOrThrow(),
    );
    if (answer !== undefined) oldest = answer.oldest;
    return {
      isKnown: answer !== undefined,
      oldestSeconds: oldest === null ? 0 : Math.max(0, (Date.now() - Date.parse(oldest)) / 1_000),
    };
  }
  return () => (probing ??= probe().finally(() => (probing = undefined)));
}
