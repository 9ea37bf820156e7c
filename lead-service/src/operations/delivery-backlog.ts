import type { Kysely } from 'kysely';
import { oldestUndelivered } from '../delivery/undelivered.ts';
import type { Tables } from '../store/tables.ts';
import { inTime } from './in-time.ts';

/** What waits to be handed on. */
export interface DeliveryBacklog {
  /** Whether the database has answered. If not, the age goes on from what was known last. */
  readonly isKnown: boolean;
  /** Age of the oldest delivery that is still to be made; 0 if none is. */
  readonly oldestSeconds: number;
}

/** Looks at what waits. However many look at once, the database is asked once. */
export function watchBacklog(db: Kysely<Tables>): () => Promise<DeliveryBacklog> {
  let oldest: string | undefined;
  let looking: Promise<DeliveryBacklog> | undefined;
  async function look(): Promise<DeliveryBacklog> {
    const answer = await inTime(async () => ({ oldest: await oldestUndelivered(db) }));
    if (answer !== undefined) oldest = answer.oldest;
    const oldestSeconds = oldest === undefined ? 0 : Math.max(0, (Date.now() - Date.parse(oldest)) / 1_000);
    return { isKnown: answer !== undefined, oldestSeconds };
  }
  return () => (looking ??= look().finally(() => (looking = undefined)));
}
