import { CamelCasePlugin, Kysely } from 'kysely';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import { clockTolerance } from '../clock-tolerance.ts';
import { GroupCommit } from '../group-commit.ts';
import type { Log } from '../log.ts';
import type { DatabaseAccess } from '../store/database-access.ts';
import type { Tables } from '../store/tables.ts';
import { BoundedMemoryLimiter } from './bounded-memory-limiter.ts';
import { addToCounts, type Addition, type CountRow } from './add-to-counts.ts';
import { counterOf, type Counters } from './counters.ts';

const mostAtOnce = 512;
/** After a failure the database is left alone for a while: nobody's lead waits for a count. */
const restAfterFailure = 5_000;
const betweenSweeps = 5 * 60_000;

/** Counters that all instances on one database share. While it is away, each instance counts alone. */
export function openSharedCounters(access: DatabaseAccess, log: Log): Counters {
  const db = new Kysely<Tables>({ dialect: access.open('counters'), plugins: [new CamelCasePlugin()] });
  let restUntil = -Infinity;

  async function reach<Result>(action: () => Promise<Result>): Promise<Result> {
    if (performance.now() < restUntil) throw new Error('The shared counters are away.');
    try {
      return await action();
    } catch (error) {
      restUntil = performance.now() + restAfterFailure;
      log.warn('limits are counted on this machine for now', { reason: access.unavailability(error) });
      throw error;
    }
  }

  const additions = new GroupCommit<Addition, CountRow>(
    (group) => reach(() => addToCounts(db, group)),
    mostAtOnce,
  );
  const sweep = setInterval(() => {
    void reach(() => db.deleteFrom('rateLimits').where('expire', '<', Date.now()).execute()).catch(() => []);
  }, betweenSweeps);
  sweep.unref();

  return {
    open: (name, windowInSeconds) => {
      const options = { keyPrefix: name, points: 0, duration: windowInSeconds };
      return counterOf(
        new GroupingLimiter(options, {
          add: (addition) => additions.add(addition),
          read: (key) =>
            reach(() =>
              db
                .selectFrom('rateLimits')
                .select(['points', 'expire'])
                .where('key', '=', key)
                .where('expire', '>', Date.now())
                // A window that ends later was begun by a clock that was ahead.
                .where('expire', '<=', Date.now() + windowInSeconds * 1_000 + clockTolerance)
                .execute(),
            ),
        }),
      );
    },
    async close() {
      clearInterval(sweep);
      await additions.drained();
      await db.destroy();
    },
  };
}

interface CountStore {
  add(addition: Addition): Promise<CountRow>;
  read(key: string): Promise<readonly CountRow[]>;
}

interface LimiterOptions {
  readonly keyPrefix: string;
  readonly points: number;
  readonly duration: number;
}

/**
 * The library's limiter for PostgreSQL, which would send a statement of its own for every count: here the counts that
 * arrive together share one. It never creates its table; a migration does.
 */
class GroupingLimiter extends RateLimiterPostgres {
  readonly #store: CountStore;

  constructor(options: LimiterOptions, store: CountStore) {
    super({
      ...options,
      storeClient: store,
      storeType: 'client',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      insuranceLimiter: new BoundedMemoryLimiter(options),
    });
    this.#store = store;
  }

  /** Called by the library, as is `_get`. */
  async _upsert(key: string, points: number, milliseconds: number): Promise<{ rows: CountRow[] }> {
    return { rows: [await this.#store.add({ key, points, expire: Date.now() + milliseconds })] };
  }

  async _get(key: string): Promise<{ rows: readonly CountRow[] } | null> {
    const rows = await this.#store.read(key);
    return rows.length === 0 ? null : { rows };
  }
}
