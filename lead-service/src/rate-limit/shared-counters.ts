import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { clockTolerance } from '../platform/clock-tolerance.ts';
import { GroupCommit } from '../platform/group-commit.ts';
import { inBatches } from '../platform/in-batches.ts';
import { describeError, type Log } from '../platform/log.ts';
import { addToCounts, type Addition, type WindowCount } from './add-to-counts.ts';
import { openOwnCounter, type Counter, type Counters } from './counters.ts';
import type { Stores } from '../lead-store/open-stores.ts';

/** Maximum number of additions in one statement. */
const batchSize = 512;
/** Back-off after a database error, in milliseconds, so that leads do not wait for a failing counter. */
const failureBackOff = 5_000;
/** Milliseconds between removals of expired counters. */
const purgeInterval = 5 * 60_000;
/** Maximum number of expired counters removed in one transaction. */
const purgeBatchSize = 1_000;

/** Opens counters in the database if instances share it, else in memory. */
export function openCounters({ database, spool }: Stores, log: Log): Counters {
  // A spool exists only if the database is shared.
  return spool === undefined
    ? { open: openOwnCounter, close: async () => undefined }
    : openSharedCounters(database, log);
}

/**
 * Counters that all instances on one database share. While the database is unavailable, each instance counts in memory.
 */
function openSharedCounters({ db, access }: Database, log: Log): Counters {
  let retryAt = -Infinity;

  /** Rejects without a query during the back-off, and begins it after an error. */
  async function withBackOff<Result>(action: () => Promise<Result>): Promise<Result> {
    if (performance.now() < retryAt) throw new Error('The shared counters are unavailable.');
    try {
      return await action();
    } catch (error) {
      retryAt = performance.now() + failureBackOff;
      log.warn('limits are counted on this machine for now', { reason: access.unavailability(error) });
      throw error;
    }
  }

  const additions = new GroupCommit<Addition, WindowCount>(
    (group) => withBackOff(() => addToCounts(db, group)),
    batchSize,
  );
  const stopping = new AbortController();
  let purging: Promise<void> | undefined;
  const timer = setInterval(() => {
    purging ??= purgeExpired(db, stopping.signal, log).finally(() => (purging = undefined));
  }, purgeInterval);
  timer.unref();

  function open(name: string, windowInSeconds: number): Counter {
    const local = openOwnCounter(name, windowInSeconds);
    const windowLength = windowInSeconds * 1_000;
    return {
      async add(key, points = 1) {
        const addition = { key: `${name}:${key}`, points, expire: Date.now() + windowLength };
        try {
          const { points, expire } = await additions.add(addition);
          return { points, secondsLeft: Math.ceil(Math.max(expire - Date.now(), 0) / 1_000) };
        } catch {
          // `withBackOff` has logged the first error.
          return local.add(key, points);
        }
      },
      async read(key) {
        try {
          const row = await withBackOff(() =>
            db
              .selectFrom('rateLimits')
              .select('points')
              .where('key', '=', `${name}:${key}`)
              .where('expire', '>', Date.now())
              // Ignores windows that a wrong clock started, which end later than possible.
              .where('expire', '<=', Date.now() + windowLength + clockTolerance)
              .executeTakeFirst(),
          );
          return row?.points ?? 0;
        } catch {
          return local.read(key);
        }
      },
    };
  }

  return {
    open,
    async close() {
      clearInterval(timer);
      stopping.abort();
      await Promise.all([additions.drained(), purging]);
    },
  };
}

/** Removes expired counters, except those that an addition or another instance has locked. Only logs a failure, until the next run. */
async function purgeExpired(db: Kysely<Tables>, stopping: AbortSignal, log: Log): Promise<void> {
  const expired = () =>
    db
      .selectFrom('rateLimits')
      .select('key')
      .where('expire', '<=', Date.now())
      .limit(purgeBatchSize)
      .forUpdate()
      .skipLocked();
  try {
    await inBatches(stopping, async () => {
      const { numDeletedRows } = await db
        .deleteFrom('rateLimits')
        .where('key', 'in', expired())
        .executeTakeFirstOrThrow();
      return numDeletedRows >= purgeBatchSize;
    });
  } catch (error) {
    if (!stopping.aborted) {
      log.warn('could not remove expired counters, will retry', { error: describeError(error) });
    }
  }
}
