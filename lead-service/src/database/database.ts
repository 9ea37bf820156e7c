import { CamelCasePlugin, Kysely } from 'kysely';
import type { Log } from '../platform/log.ts';
import { StartupError } from '../platform/startup-error.ts';
import type { ConnectionUse, DatabaseAccess, DatabaseLocation } from './database-access.ts';
import { migrate } from './migrate.ts';
import { accessPostgres } from './postgres-access.ts';
import { accessSqlite } from './sqlite-access.ts';
import type { Tables } from './tables.ts';

/** A connection. Disposal closes it. */
export interface Database extends AsyncDisposable {
  readonly db: Kysely<Tables>;
  readonly access: DatabaseAccess;
  /** Location for messages, without the password. */
  readonly where: string;
}

/** Opens a database and migrates its schema. Throws {@link StartupError} if that fails. */
export async function openDatabase(
  location: DatabaseLocation,
  log: Log,
  use: ConnectionUse = 'requests',
): Promise<Database> {
  const database = connect(location, log, use);
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database[Symbol.asyncDispose]();
    if (error instanceof StartupError) throw error;
    throw new StartupError(database.access.explain(error), { cause: error });
  }
}

/** Creates the connection without a query. The first query shows whether the database is available. */
export function connect(location: DatabaseLocation, log: Log, use: ConnectionUse = 'requests'): Database {
  const access =
    location.kind === 'sqlite'
      ? accessSqlite(location.directory, location.file)
      : accessPostgres(location.url, log);
  const db = new Kysely<Tables>({ dialect: access.open(use), plugins: [new CamelCasePlugin()] });
  return { db, access, where: access.where, [Symbol.asyncDispose]: () => db.destroy() };
}
