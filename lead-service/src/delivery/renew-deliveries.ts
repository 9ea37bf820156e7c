import type { Kysely } from 'kysely';
import { clockTolerance } from '../clock-tolerance.ts';
import type { Tables } from '../store/tables.ts';
import { longestLeaseSeconds } from './delivery-config.ts';
import type { DeliveryFilter } from './outbox-queue.ts';
import { longestRetryDelay } from './retry-schedule.ts';

/**
 * Makes due what lies further ahead than any plan could be: the clock that planned it was wrong, and nobody would hear of
 * the lead until then. Returns how many deliveries that were.
 */
export async function renewDeliveries(db: Kysely<Tables>, now: Date): Promise<number> {
  const at = now.toISOString();
  const ahead = (milliseconds: number) =>
    new Date(now.getTime() + milliseconds + clockTolerance).toISOString();
  const longestLease = ahead(longestLeaseSeconds * 1_000);
  const isAhead: DeliveryFilter = ({ and, or, eb }) =>
    and([
      eb('state', '=', 'pending'),
      or([
        eb('createdAt', '>', ahead(0)),
        eb('nextAttemptAt', '>', ahead(longestRetryDelay)),
        eb('leasedUntil', '>', longestLease),
      ]),
    ]);
  // Looking takes no lock.
  const found = await db.selectFrom('outbox').select('id').where(isAhead).limit(1).executeTakeFirst();
  if (found === undefined) return 0;
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set(({ ref, case: choose }) => ({
      createdAt: choose().when('createdAt', '>', at).then(at).else(ref('createdAt')).end(),
      nextAttemptAt: choose().when('nextAttemptAt', '>', at).then(at).else(ref('nextAttemptAt')).end(),
      leasedUntil: choose().when('leasedUntil', '>', longestLease).then(null).else(ref('leasedUntil')).end(),
    }))
    .where(isAhead)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
