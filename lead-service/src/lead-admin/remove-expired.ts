import type { Database } from '../database/database.ts';
import { inBatches } from '../platform/in-batches.ts';
import type { RetentionConfig } from './retention-config.ts';

const batchSize = 200;
const day = 24 * 60 * 60_000;

/** Removes expired idempotency records, confirmation days and counts of page reports. Returns their number. */
export async function removeExpired(
  { db, access }: Database,
  { pageReportDays }: Pick<RetentionConfig, 'pageReportDays'>,
  now: Date,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0;
  async function removeInBatches(remove: () => Promise<{ readonly numDeletedRows: bigint }>): Promise<void> {
    await inBatches(signal, async () => {
      const { numDeletedRows } = await remove();
      removed += Number(numDeletedRows);
      return numDeletedRows >= batchSize;
    });
  }

  const isExpired = db
    .selectFrom('idempotencyRecords')
    .select('key')
    .where('expiresAt', '<=', now.toISOString());
  await removeInBatches(() => {
    const oldest = isExpired.orderBy('expiresAt').limit(batchSize).as('oldest');
    // Locked in the order in which accepted leads claim them, and without those locked by a claim.
    const free = isExpired
      .where('key', 'in', db.selectFrom(oldest).select('oldest.key'))
      .orderBy('key')
      .$if(access.skipsLocked, (query) => query.forUpdate().skipLocked());
    return db.deleteFrom('idempotencyRecords').where('key', 'in', free).executeTakeFirstOrThrow();
  });
  // Keeps yesterday and tomorrow, because the clocks of two machines may differ at midnight.
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  const [yesterday, tomorrow] = [dayOf(now.getTime() - day), dayOf(now.getTime() + day)];
  await removeInBatches(() =>
    db
      .deleteFrom('confirmationDays')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('addressHash', 'day'),
          'in',
          selectFrom('confirmationDays')
            .select(['addressHash', 'day'])
            .where(({ or, eb: is }) => or([is('day', '<', yesterday), is('day', '>', tomorrow)]))
            .limit(batchSize)
            .$asTuple('addressHash', 'day'),
        ),
      )
      .executeTakeFirstOrThrow(),
  );
  if (pageReportDays > 0) {
    const firstKept = new Date(now.getTime() - pageReportDays * day).toISOString();
    await inBatches(signal, async () => {
      const { numDeletedRows } = await db
        .deleteFrom('pageReports')
        .where('beganAt', '<', firstKept)
        .where('beganAt', '=', ({ selectFrom }) =>
          selectFrom('pageReports').select(({ fn }) => fn.min('beganAt').as('oldest')),
        )
        .executeTakeFirstOrThrow();
      removed += Number(numDeletedRows);
      return numDeletedRows > 0;
    });
  }
  return removed;
}
