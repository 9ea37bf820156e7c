import type { DeleteResult, Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { DatabaseAccess } from '../database/database-access.ts';
import type { Tables } from '../database/tables.ts';
import { inBatches } from '../platform/in-batches.ts';
import type { RetentionConfig } from './retention-config.ts';

const batchSize = 200;
const day = 24 * 60 * 60_000;

/** A statement that deletes a batch of expired rows each time it runs. */
interface Deletion {
  executeTakeFirstOrThrow(): Promise<DeleteResult>;
}

/** Removes expired idempotency records and counts of page reports. Returns their number. */
export async function removeExpired(
  { db, access }: Database,
  { pageReportDays }: Pick<RetentionConfig, 'pageReportDays'>,
  now: Date,
  signal?: AbortSignal,
): Promise<number> {
  const deletions = [expiredRecords(db, access, now)];
  if (pageReportDays > 0) deletions.push(oldestPageReports(db, pageReportDays, now));
  let removed = 0;
  for (const deletion of deletions) {
    await inBatches(signal, async () => {
      const { numDeletedRows } = await deletion.executeTakeFirstOrThrow();
      removed += Number(numDeletedRows);
      return numDeletedRows > 0;
    });
  }
  return removed;
}

function expiredRecords(db: Kysely<Tables>, { skipsLocked }: DatabaseAccess, now: Date): Deletion {
  const expired = db
    .selectFrom('idempotencyRecords')
    .select('key')
    .where('expiresAt', '<=', now.toISOString());
  const oldest = expired.orderBy('expiresAt').limit(batchSize).as('oldest');
  // Locked in the order in which accepted leads claim them, and without those locked by a claim.
  const free = expired
    .where('key', 'in', db.selectFrom(oldest).select('oldest.key'))
    .orderBy('key')
    .$if(skipsLocked, (query) => query.forUpdate().skipLocked());
  return db.deleteFrom('idempotencyRecords').where('key', 'in', free);
}

/** One period per batch. */
function oldestPageReports(db: Kysely<Tables>, days: number, now: Date): Deletion {
  const firstKept = new Date(now.getTime() - days * day).toISOString();
  return db
    .deleteFrom('pageReports')
    .where('beganAt', '<', firstKept)
    .where('beganAt', '=', ({ selectFrom }) =>
      selectFrom('pageReports').select(({ fn }) => fn.min('beganAt').as('oldest')),
    );
}
