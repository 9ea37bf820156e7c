import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { findUndelivered, type Undelivered } from '../lead-admin/undelivered.ts';
import { inTime } from '../platform/in-time.ts';

export interface DeliveryBacklog {
  /** Whether the database has answered. If not, the age continues from the last known delivery. */
  readonly isKnown: boolean;
  /** Age of the oldest pending delivery in seconds; 0 if there is none. */
  readonly oldestSeconds: number;
  /** Seconds by which the newest lies ahead of this machine's clock, because a clock is wrong; otherwise 0. */
  readonly aheadSeconds: number;
}

/** Reads the backlog. Concurrent calls share one query. */
export function watchBacklog(db: Kysely<Tables>): () => Promise<DeliveryBacklog> {
  let undelivered: Undelivered = { oldest: undefined, newest: undefined };
  let probing: Promise<DeliveryBacklog> | undefined;
  async function probe(): Promise<DeliveryBacklog> {
    const answer = await inTime(() => findUndelivered(db));
    if (answer !== undefined) undelivered = answer;
    const { oldest, newest } = undelivered;
    const now = Date.now();
    return {
      isKnown: answer !== undefined,
      oldestSeconds: oldest === undefined ? 0 : Math.max(0, (now - Date.parse(oldest)) / 1_000),
      aheadSeconds: newest === undefined ? 0 : Math.max(0, (Date.parse(newest) - now) / 1_000),
    };
  }
  return () => (probing ??= probe().finally(() => (probing = undefined)));
}
