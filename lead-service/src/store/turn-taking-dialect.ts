import { setTimeout } from 'node:timers/promises';
import { PostgresAdapter, PostgresDialect, sql, type Kysely } from 'kysely';

/** The one that Kysely takes, as earlier versions did. */
const migrationLock = sql.lit(3_853_314_791_062_309_107n);
const betweenTurns = 100;

/** Those who migrate take turns. The library's way would wait in PostgreSQL, for an hour and after the client has gone. */
class TurnTakingAdapter extends PostgresAdapter {
  override async acquireMigrationLock(db: Kysely<unknown>): Promise<void> {
    const attempt = sql<{ locked: boolean }>`select pg_try_advisory_lock(${migrationLock}) as locked`;
    while ((await attempt.execute(db)).rows[0]?.locked !== true) await setTimeout(betweenTurns);
  }

  override async releaseMigrationLock(db: Kysely<unknown>): Promise<void> {
    await sql`select pg_advisory_unlock(${migrationLock})`.execute(db);
  }
}

/** PostgreSQL, where several services may migrate one database. */
export class TurnTakingDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new TurnTakingAdapter();
  }
}
