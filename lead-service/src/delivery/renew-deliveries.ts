import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { clockTolerance } from '../platform/clock-tolerance.ts';
import { maxLeaseSeconds } from './delivery-config.ts';
import { maxRetryDelay } from './retry-schedule.ts';

/**
 * Makes deliveries due that lie further in the future than any retry or lease. A wrong clock has planned them, and they
 * would be late. Returns their number.
 */
export async function renewDeliveries(db: Kysely<Tables>, now: Date): Promise<number> {
  const at = now.toISOString();
  const ahead = (milliseconds: number) =>
    new Date(now.getTime() + milliseconds + clockTolerance).toISOString();
  const latestLease = ahead(maxLeaseSeconds * 1_000);
  const isAhead = ({ and, or, eb }: ExpressionBuilder<Tables, 'outbox'>) =>
    and([
      eb('state', '=', 'pending'),
      or([
        eb('createdAt', '>', ahead(0)),
        eb('nextAttemptAt', '>', ahead(maxRetryDelay)),
        eb('leasedUntil', '>', latestLease),
      ]),
    ]);
  // A read takes no lock.
  const found = await db.selectFrom('outbox').select('id').where(isAhead).limit(1).executeTakeFirst();
  if (found === undefined) return 0;
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set(({ ref, case: choose }) => ({
      createdAt: choose().when('createdAt', '>', at).then(at).else(ref('createdAt')).end(),
      nextAttemptAt: choose().when('nextAttemptAt', '>', at).then(at).else(ref('nextAttemptAt')).end(),
      leasedUntil: choose().when('leasedUntil', '>', latestLease).then(null).else(ref('leasedUntil')).end(),
    }))
    .where(isAhead)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
