import type { Database } from '../store/database.ts';
import { inGroups } from '../in-groups.ts';

const mostAtOnce = 200;
const day = 24 * 60 * 60_000;

/** Removes what means nothing any more, and returns how many rows that were. */
export async function removeExpired(
  { db, access }: Database,
  now: Date,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0;
  async function removeGroups(remove: () => Promise<{ readonly numDeletedRows: bigint }>): Promise<void> {
    await inGroups(signal, async () => {
      const { numDeletedRows } = await remove();
      removed += Number(numDeletedRows);
      return numDeletedRows >= mostAtOnce;
    });
  }

  const isExpired = db
    .selectFrom('idempotencyRecords')
    .select('key')
    .where('expiresAt', '<=', now.toISOString());
  await removeGroups(() => {
    const oldest = isExpired.orderBy('expiresAt').limit(mostAtOnce).as('oldest');
    // In the order in which arriving leads claim them, and past those that are being claimed.
    const free = isExpired
      .where('key', 'in', db.selectFrom(oldest).select('oldest.key'))
      .orderBy('key')
      .$if(access.skipsLocked, (query) => query.forUpdate().skipLocked());
    return db.deleteFrom('idempotencyRecords').where('key', 'in', free).executeTakeFirstOrThrow();
  });
  await removeGroups(() => {
    const ended = db.selectFrom('rateLimits').select('key').where('expire', '<', now.getTime());
    return db.deleteFrom('rateLimits').where('key', 'in', ended.limit(mostAtOnce)).executeTakeFirstOrThrow();
  });
  // Yesterday's and tomorrow's stay: the clocks of two machines may differ at midnight.
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  const [yesterday, tomorrow] = [dayOf(now.getTime() - day), dayOf(now.getTime() + day)];
  await removeGroups(() =>
    db
      .deleteFrom('confirmationDays')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('addressHash', 'day'),
          'in',
          selectFrom('confirmationDays')
            .select(['addressHash', 'day'])
            .where(({ or, eb: is }) => or([is('day', '<', yesterday), is('day', '>', tomorrow)]))
            .limit(mostAtOnce)
            .$asTuple('addressHash', 'day'),
        ),
      )
      .executeTakeFirstOrThrow(),
  );
  return removed;
}
