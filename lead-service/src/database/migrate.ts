import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { StartupError } from '../platform/startup-error.ts';
import type { DatabaseAccess } from './database-access.ts';
import { migrations, type SchemaStep } from './migrations/migrations.ts';

/**
 * `current`: this code can use the schema. `older`: the schema lacks migrations of this code. `newer`: it has migrations
 * that this code does not know, and one of them is not marked as readable by it, or one of its own is missing.
 */
export type SchemaAge = 'current' | 'older' | 'newer';

const stepsTable = 'kysely_migration';
/**
 * Migration → the name of an earlier one (`readableBy`): code that knows the earlier one can use the schema after this one.
 * Written with the migration, so that older code can read it.
 */
const readersTable = 'migration_readers';
/** In milliseconds, until this service has the migration lock, which another service may hold while it migrates. */
const lockTimeout = 10_000;

/** Compares the schema with this code's migrations. Writes nothing and takes no lock. */
export async function schemaAge(access: DatabaseAccess, steps = migrations): Promise<SchemaAge> {
  return await probe(access, async (db) => (await compare(access, db, steps)).age);
}

/**
 * Migrates the schema, with all steps or none. Services that start together take turns. Without its turn within the
 * timeout, it throws an error that counts as unavailability. Throws {@link StartupError} if this code cannot use the
 * database.
 */
export async function migrate(
  access: DatabaseAccess,
  steps = migrations,
  timeout = lockTimeout,
): Promise<void> {
  const isCurrent = await probe(access, async (db) => {
    const error = await access.findUnsuitable(db);
    if (error !== undefined) throw new StartupError(error);
    return (await compare(access, db, steps)).age === 'current';
  });
  if (isCurrent) return;
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
  try {
    await Promise.race([migrateInTurn(access, db, steps, () => clearTimeout(timer)), tooLate.promise]);
  } finally {
    clearTimeout(timer);
    await db.destroy();
  }
}

/** @param hasTurn called when no other service can change the schema any more */
async function migrateInTurn(
  access: DatabaseAccess,
  db: Kysely<unknown>,
  steps: Record<string, SchemaStep>,
  hasTurn: () => void,
): Promise<void> {
  const migrationTableSchema = await access.currentSchema(db);
  await db.transaction().execute(async (transaction) => {
    await access.takeTurn(transaction);
    hasTurn();
    // Another service may have migrated meanwhile, and further than this code can.
    const { age, unknown } = await compare(access, transaction, steps);
    if (age === 'current') return;
    if (age === 'newer') {
      throw new StartupError(
        `The database ${access.where} was written by another version (it has the migration ${unknown.join(', ')}). Start that version or a newer one.`,
      );
    }
    const migrator = new Migrator({
      db: transaction,
      provider: { getMigrations: async () => steps },
      ...(migrationTableSchema !== undefined && { migrationTableSchema }),
    });
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined)
      throw error instanceof Error
        ? error
        : new Error('Unexpected error: the migration failed.', { cause: error });
    await recordReaders(transaction, steps);
  });
}

/** Runs a read on a connection of its own, which is closed afterwards. */
async function probe<Result>(
  access: DatabaseAccess,
  read: (db: Kysely<unknown>) => Promise<Result>,
): Promise<Result> {
  const db = new Kysely<unknown>({ dialect: access.open('probe') });
  try {
    return await read(db);
  } finally {
    await db.destroy();
  }
}

/** The age of the schema, and its migrations that this code does not know. */
async function compare(
  access: DatabaseAccess,
  db: Kysely<unknown>,
  steps: Record<string, SchemaStep>,
): Promise<{ readonly age: SchemaAge; readonly unknown: readonly string[] }> {
  if (!(await access.hasTable(db, stepsTable))) return { age: 'older', unknown: [] };
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(stepsTable)}`.execute(db);
  const unknown = rows.map(({ name }) => name).filter((name) => !Object.hasOwn(steps, name));
  const isComplete = rows.length - unknown.length === Object.keys(steps).length;
  if (unknown.length === 0) return { age: isComplete ? 'current' : 'older', unknown };
  const readers = await readReaders(access, db);
  const isReadable = unknown.every((name) => Object.hasOwn(steps, readers.get(name) ?? ''));
  return { age: isComplete && isReadable ? 'current' : 'newer', unknown };
}

async function readReaders(
  access: DatabaseAccess,
  db: Kysely<unknown>,
): Promise<ReadonlyMap<string, string>> {
  if (!(await access.hasTable(db, readersTable))) return new Map();
  const { rows } = await sql<{
    name: string;
    readable_by: string;
  }>`select name, readable_by from ${sql.table(readersTable)}`.execute(db);
  return new Map(rows.map(({ name, readable_by: readableBy }) => [name, readableBy]));
}

/** Records which earlier code can use the schema after each migration. */
async function recordReaders(db: Kysely<unknown>, steps: Record<string, SchemaStep>): Promise<void> {
  const marked = Object.entries(steps).filter(([, { readableBy }]) => readableBy !== undefined);
  if (marked.length === 0) return;
  await db.schema
    .createTable(readersTable)
    .ifNotExists()
    .addColumn('name', 'text', (it) => it.primaryKey().notNull())
    .addColumn('readable_by', 'text', (it) => it.notNull())
    .execute();
  for (const [name, { readableBy }] of marked) {
    await sql`insert into ${sql.table(readersTable)} (name, readable_by) values (${name}, ${readableBy})
      on conflict (name) do nothing`.execute(db);
  }
}
