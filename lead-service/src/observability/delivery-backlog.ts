import type { Kysely } from 'kysely';
import { findUndelivered, type Undelivered } from '../delivery/undelivered.ts';
import type { Tables } from '../store/tables.ts';
import { inTime } from './in-time.ts';

/** What waits to be handed on. */
export interface DeliveryBacklog {
  /** Whether the database has answered. If not, the age goes on from what was known last. */
  readonly isKnown: boolean;
  /** Age of the oldest delivery that is still to be made; 0 if none is. */
  readonly oldestSeconds: number;
  /** How far the newest lies ahead of this machine's clock: one of the clocks is wrong. 0 if it does not. */
  readonly aheadSeconds: number;
}

/** Looks at what waits. However many look at once, the database is asked once. */
export function watchBacklog(db: Kysely<Tables>): () => Promise<DeliveryBacklog> {
  let undelivered: Undelivered = { oldest: undefined, newest: undefined };
  let looking: Promise<DeliveryBacklog> | undefined;
  async function look(): Promise<DeliveryBacklog> {
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
  return () => (looking ??= look().finally(() => (looking = undefined)));
}
