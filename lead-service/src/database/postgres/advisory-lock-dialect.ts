import { setTimeout } from 'node:timers/promises';
import { PostgresAdapter, PostgresDialect, sql, type Kysely } from 'kysely';

/** Kysely's lock id, because earlier versions of the service lock with it. */
const migrationLock = sql.lit(3_853_314_791_062_309_107n);
/** Milliseconds. */
const retryInterval = 100;

/**
 * Waits for the migration lock by polling. Kysely would block in PostgreSQL for up to an hour, even after its client is
 * gone.
 *
 * @param transaction holds the lock until it ends. A session lock would stay on the connection, which a pooler then
 *   gives to another client
 */
export async function takeTurn(transaction: Kysely<unknown>): Promise<void> {
  const attempt = sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${migrationLock}) as locked`;
  while ((await attempt.execute(transaction)).rows[0]?.locked !== true) await setTimeout(retryInterval);
}

class AdvisoryLockAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {
    // `takeTurn` has already locked in the surrounding transaction.
  }

  override async releaseMigrationLock(): Promise<void> {
    // PostgreSQL releases the lock at the end of the transaction.
  }
}

/** PostgreSQL dialect for databases that several services may migrate. */
export class AdvisoryLockDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new AdvisoryLockAdapter();
  }
}
