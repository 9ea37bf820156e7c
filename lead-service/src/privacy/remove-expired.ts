import type { Database } from '../store/database.ts';

const mostAtOnce = 500;
const day = 24 * 60 * 60_000;

/** Removes what means nothing any more, and returns how many rows that were. */
export async function removeExpired({ db, access }: Database, now: Date): Promise<number> {
  let removed = 0;
  for (;;) {
    // In the order in which arriving leads claim them, and past those that are being claimed.
    const expired = db
      .selectFrom('idempotencyRecords')
      .select('key')
      .where('expiresAt', '<=', now.toISOString())
      .orderBy('key')
      .limit(mostAtOnce)
      .$if(access.skipsLocked, (query) => query.forUpdate().skipLocked());
    const { numDeletedRows } = await db
      .deleteFrom('idempotencyRecords')
      .where('key', 'in', expired)
      .executeTakeFirstOrThrow();
    removed += Number(numDeletedRows);
    if (numDeletedRows < mostAtOnce) break;
  }
  const limits = await db
    .deleteFrom('rateLimits')
    .where('expire', '<', now.getTime())
    .executeTakeFirstOrThrow();
  // Yesterday's too: the clocks of two machines may differ at midnight.
  const yesterday = new Date(now.getTime() - day).toISOString().slice(0, 10);
  const days = await db.deleteFrom('confirmationDays').where('day', '<', yesterday).executeTakeFirstOrThrow();
  return removed + Number(limits.numDeletedRows) + Number(days.numDeletedRows);
}
