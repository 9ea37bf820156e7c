import { PostgresAdapter, sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { StartupError } from '../platform/explained-error.ts';
import type { DatabaseAccess } from './database-access.ts';
import { firstMigration } from './first-migration.ts';
import type { Tables } from './tables.ts';

/**
 * All migrations, forward only. Never change a released migration; add one with the next number. In a rolling restart, instances of the
 * version before go on inserting: add a column with a default or nullable, and drop one only in the release after the last that uses it.
 * On PostgreSQL, a statement has five seconds at the start of the service, and ten minutes in a command.
 */
const migrations: Readonly<Record<string, Migration>> = {
  '001-first': firstMigration,
  '002-retention-clock': {
    async up(db: Kysely<unknown>) {
      await sql`create table retention_clock (seen_at text not null)`.execute(db);
      // The newest known time of an older database, because the clock may be wrong already.
      await sql`insert into retention_clock (seen_at)
        select coalesce(max(time), ${new Date().toISOString()})
        from (select max(received_at) as time from leads union all select max(began_at) from page_reports) as known
      `.execute(db);
    },
  },
  '003-counters': {
    async up(db: Kysely<unknown>) {
      if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
      // Unlogged, because a count is not worth a sync of the disk. A crash of PostgreSQL empties it. Pages keep room for updates.
      await sql`create unlogged table counters (
        key text not null primary key, points integer not null, ends_at text not null
      ) with (fillfactor = 50)`.execute(db);
    },
  },
};

/**
 * Migrates the schema, with all steps or none. Services that start together take turns. Throws {@link StartupError} if a newer version
 * has written the database.
 */
export async function migrate(
  { db, access }: { readonly db: Kysely<Tables>; readonly access: DatabaseAccess },
  steps = migrations,
): Promise<void> {
  const provider = { getMigrations: async () => steps };
  await db
    .withoutPlugins()
    .transaction()
    .execute(async (transaction) => {
      // Before the migrator creates its tables, and until the end of the transaction.
      await transaction.getExecutor().adapter.acquireMigrationLock(transaction, {
        ...{ lockTable: '', lockRowId: '' },
      });
      const { error } = await new Migrator({ db: transaction, provider }).migrateToLatest();
      if (error !== undefined) throw asStartupError(error, access);
    });
}

function asStartupError(error: unknown, { where }: DatabaseAccess): unknown {
  // Kysely's message if the database has a migration that the steps lack.
  const isNewer = error instanceof Error && error.message.startsWith('corrupted migrations');
  if (!isNewer) return error;
  return new StartupError(
    `The database ${where} was written by another version (${error.message}). Start that version or a newer one.`,
  );
}
