import { CamelCasePlugin, Kysely } from 'kysely';
import type { Log } from '../platform/log.ts';
import { StartupError } from '../platform/explained-error.ts';
import type { ConnectionUse, DatabaseAccess, DatabaseLocation } from './database-access.ts';
import { migrate } from './migrate.ts';
import { accessPostgres } from './postgres-access.ts';
import { accessSqlite } from './sqlite-access.ts';
import type { Tables } from './tables.ts';

/** What runs queries: a database, or a transaction on it. */
export interface DatabaseTarget {
  readonly db: Kysely<Tables>;
  readonly access: DatabaseAccess;
}

/** A connection. Disposal closes it. */
export interface Database extends DatabaseTarget, AsyncDisposable {}

/** Opens a database and migrates its schema. Throws {@link StartupError} if that fails. */
export async function openDatabase(
  location: DatabaseLocation,
  log: Log,
  use: ConnectionUse = 'requests',
): Promise<Database> {
  const database = connect(location, log, use);
  try {
    await prepare(database);
    return database;
  } catch (error) {
    await database[Symbol.asyncDispose]();
    if (error instanceof StartupError) throw error;
    throw new StartupError(database.access.explain(error), { cause: error });
  }
}

/** Migrates the schema. Throws {@link StartupError} if the database is not suitable, such as by its encoding, or of another version. */
export async function prepare({ db, access }: DatabaseTarget): Promise<void> {
  const problem = await access.findUnsuitable(db);
  if (problem !== undefined) throw new StartupError(problem);
  await migrate({ db, access });
}

/** Creates the connection without a query. The first query shows whether the database is available. */
export function connect(location: DatabaseLocation, log: Log, use: ConnectionUse = 'requests'): Database {
  const access =
    location.kind === 'sqlite'
      ? accessSqlite(location.directory, location.file)
      : accessPostgres(location.url, log);
  const db = new Kysely<Tables>({ dialect: access.open(use), plugins: [new CamelCasePlugin()] });
  return { db, access, [Symbol.asyncDispose]: () => db.destroy() };
}
