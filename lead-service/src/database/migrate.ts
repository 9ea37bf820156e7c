import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { StartFailure } from '../start-failure.ts';
import type { DatabaseAccess } from './database-access.ts';
import { migrations } from './migrations/migrations.ts';

/** `older`: the schema lacks steps that this code knows. `newer`: it has steps that this code does not know. */
export type SchemaAge = 'current' | 'older' | 'newer';

const stepsTable = 'kysely_migration';
/** How long it may take until the first step begins. It includes waiting for somebody else who migrates. */
const beginTimeout = 10_000;

/** Looks how a schema stands to this code. Writes nothing, waits for nobody. */
export async function schemaAge(access: DatabaseAccess, steps = migrations): Promise<SchemaAge> {
  const db = new Kysely<unknown>({ dialect: access.open('look') });
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
 * Brings the schema up to date, all steps or none. Services that start together take turns. Gives up, as on a database
 * that is away, when nothing has begun after a while.
 */
export async function migrate(
  access: DatabaseAccess,
  steps = migrations,
  timeout = beginTimeout,
): Promise<void> {
  if ((await schemaAge(access, steps)) === 'current') return;
  // Connections of its own: a step may take longer than a request may.
  const db = new Kysely<unknown>({ dialect: access.open('migration') });
  const tooLate = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => tooLate.reject(new Error('its schema could not be changed in time, it may be changing already')),
    timeout,
  );

  async function run(): Promise<void> {
    const migrationTableSchema = await access.currentSchema(db);
    await db.transaction().execute(async (transaction) => {
      await access.takeTurn(transaction);
      const migrator = new Migrator({
        db: transaction,
        provider: {
          // Asked for when it is this one's turn.
          async getMigrations() {
            clearTimeout(timer);
            return steps;
          },
        },
        ...(migrationTableSchema !== undefined && { migrationTableSchema }),
      });
      const { error } = await migrator.migrateToLatest();
      if (isUnknownSchema(error)) {
        throw new StartFailure(
          `The database ${access.where} was written by another version (${error.message}). Start that version or a newer one.`,
        );
      }
      if (error !== undefined) throw error;
    });
  }

  try {
    await Promise.race([run(), tooLate.promise]);
  } finally {
    clearTimeout(timer);
    await db.destroy();
  }
}

/** The database knows steps that this code does not. */
function isUnknownSchema(error: unknown): error is Error {
  return error instanceof Error && error.message.startsWith('corrupted migrations');
}
