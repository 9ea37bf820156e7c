import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { StartupError } from '../platform/startup-error.ts';
import type { DatabaseAccess } from './database-access.ts';
import { migrations } from './migrations/migrations.ts';

/** `older`: the schema lacks migrations of this code. `newer`: it has migrations that this code does not know. */
export type SchemaAge = 'current' | 'older' | 'newer';

const stepsTable = 'kysely_migration';
/** In milliseconds, until the first migration begins. Includes the wait for a migration by another service. */
const beginTimeout = 10_000;

/** Compares the schema with this code's migrations. Writes nothing and takes no lock. */
export async function schemaAge(access: DatabaseAccess, steps = migrations): Promise<SchemaAge> {
  const db = new Kysely<unknown>({ dialect: access.open('probe') });
  try {
    if (!(await access.hasTable(db, stepsTable))) return 'older';
    const { rows: taken } = await sql<{ name: string }>`select name from ${sql.table(stepsTable)}`.execute(
      db,
    );
    if (taken.some(({ name }) => !Object.hasOwn(steps, name))) return 'newer';
    return taken.length < Object.keys(steps).length ? 'older' : 'current';
  } finally {
    await db.destroy();
  }
}

/**
 * Migrates the schema, with all steps or none. Services that start together take turns. If no step begins within the
 * timeout, it throws an error that counts as unavailability.
 */
export async function migrate(
  access: DatabaseAccess,
  steps = migrations,
  timeout = beginTimeout,
): Promise<void> {
  if ((await schemaAge(access, steps)) === 'current') return;
  // Separate connections, because a migration may take longer than the timeout for requests.
  const db = new Kysely<unknown>({ dialect: access.open('migration') });
  const tooLate = Promise.withResolvers<never>();
  const timer = setTimeout(
    () =>
      tooLate.reject(
        new Error('its schema could not be migrated in time, another service may be migrating it'),
      ),
    timeout,
  );

  async function run(): Promise<void> {
    const migrationTableSchema = await access.currentSchema(db);
    await db.transaction().execute(async (transaction) => {
      await access.takeTurn(transaction);
      const migrator = new Migrator({
        db: transaction,
        provider: {
          // Kysely calls this once the lock is held.
          async getMigrations() {
            clearTimeout(timer);
            return steps;
          },
        },
        ...(migrationTableSchema !== undefined && { migrationTableSchema }),
      });
      const { error } = await migrator.migrateToLatest();
      if (isUnknownSchema(error)) {
        throw new StartupError(
          `The database ${access.where} was written by another version (${error.message}). Start that version or a newer one.`,
        );
      }
      if (error !== undefined)
        throw error instanceof Error
          ? error
          : new Error('Unexpected error: the migration failed.', { cause: error });
    });
  }

  try {
    await Promise.race([run(), tooLate.promise]);
  } finally {
    clearTimeout(timer);
    await db.destroy();
  }
}

/** Kysely's error for applied migrations that this code does not know. */
function isUnknownSchema(error: unknown): error is Error {
  return error instanceof Error && error.message.startsWith('corrupted migrations');
}
