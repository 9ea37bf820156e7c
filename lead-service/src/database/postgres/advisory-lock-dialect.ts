import { setTimeout } from 'node:timers/promises';
import { PostgresAdapter, PostgresDialect, sql, type Kysely } from 'kysely';

/** The one that Kysely takes, as earlier versions did. */
const migrationLock = sql.lit(3_853_314_791_062_309_107n);
const betweenTurns = 100;

/**
 * Waits until no other service migrates. Kysely would wait in PostgreSQL, for an hour and after the client has gone.
 *
 * @param transaction holds the lock until it ends. A lock of the session would stay behind on a connection that a pooler
 *   hands on
 */
export async function takeTurn(transaction: Kysely<unknown>): Promise<void> {
  const attempt = sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${migrationLock}) as locked`;
  while ((await attempt.execute(transaction)).rows[0]?.locked !== true) await setTimeout(betweenTurns);
}

class TurnTakingAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {
    // The transaction around the migration has taken its turn.
  }

  override async releaseMigrationLock(): Promise<void> {
    // PostgreSQL does it at the end of the transaction.
  }
}

/** PostgreSQL, where several services may migrate one database. */
export class TurnTakingDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new TurnTakingAdapter();
  }
}
