import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { StartFailure } from '../start-failure.ts';
import type { DatabaseAccess } from './database-access.ts';
import { migrations } from './migrations/migrations.ts';

/** Brings the schema up to date, all steps or none. Services that start together take turns. */
export async function migrate(access: DatabaseAccess, steps = migrations): Promise<void> {
  // Connections of its own: a step may take longer than a request may.
  const db = new Kysely<unknown>({ dialect: access.open('migration') });
  try {
    const migrationTableSchema = await access.currentSchema(db);
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => steps },
      ...(migrationTableSchema !== undefined && { migrationTableSchema }),
    });
    const { error } = await migrator.migrateToLatest();
    if (isUnknownSchema(error)) {
      throw new StartFailure(
        `The database ${access.where} was written by another version (${error.message}). Start that version or a newer one.`,
      );
    }
    if (error !== undefined) throw error;
  } finally {
    await db.destroy();
  }
}

/** The database knows steps that this code does not. */
function isUnknownSchema(error: unknown): error is Error {
  return error instanceof Error && error.message.startsWith('corrupted migrations');
}
