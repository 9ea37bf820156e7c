import { CamelCasePlugin, Kysely } from 'kysely';
import type { Log } from '../platform/log.ts';
import { StartupError } from '../platform/startup-error.ts';
import type { ConnectionUse, DatabaseAccess, DatabaseLocation } from './database-access.ts';
import { accessDatabase } from './dialects.ts';
import { migrate, schemaAge, type SchemaAge } from './migrate.ts';
import type { Tables } from './tables.ts';

/** A database whose schema is up to date. */
export interface Database {
  readonly db: Kysely<Tables>;
  readonly access: DatabaseAccess;
  /** Location for messages, without the password. */
  readonly where: string;
  close(): Promise<void>;
}

/** Opens a database and migrates its schema. Throws {@link StartupError} if that fails. */
export async function openDatabase(location: DatabaseLocation, log: Log): Promise<Database> {
  const access = accessDatabase(location, log);
  await orStartupError(access, migrate(access));
  return await connectIfSuitable(access, 'requests');
}

/**
 * Opens a database for a command that runs next to a service. It does not migrate, because the running service needs
 * its own schema version. Throws {@link StartupError} if the schema has another version than this code, or the database
 * must not be used.
 */
export async function openForCommand(location: DatabaseLocation, log: Log): Promise<Database> {
  const access = accessDatabase(location, log);
  const age = await orStartupError(access, schemaAge(access));
  if (age !== 'current') throw new StartupError(`The schema of ${access.where} is ${whatToDo[age]}`);
  return await connectIfSuitable(access, 'commands');
}

/**
 * Checks through the connection that it returns, because from its first query on, no move can take the file away. A move that
 * finished while the file was being opened left its mark in it.
 */
async function connectIfSuitable(access: DatabaseAccess, use: ConnectionUse): Promise<Database> {
  const database = connect(access, use);
  try {
    const error = await orStartupError(access, access.findUnsuitable(database.db.withoutPlugins()));
    if (error === undefined) return database;
    throw new StartupError(error);
  } catch (error) {
    await database.close();
    throw error;
  }
}

const whatToDo: Record<Exclude<SchemaAge, 'current'>, string> = {
  older:
    'older than this command. Run the command "migrate" or start the service of this version, then try again.',
  newer: 'newer than this command. Use the command of the version that the service runs.',
};

async function orStartupError<Result>(access: DatabaseAccess, opening: Promise<Result>): Promise<Result> {
  try {
    return await opening;
  } catch (error) {
    throw error instanceof StartupError ? error : new StartupError(access.explain(error), { cause: error });
  }
}

/** Creates the connection without a query. The first query shows whether the database is available. */
export function connect(access: DatabaseAccess, use: ConnectionUse = 'requests'): Database {
  const db = new Kysely<Tables>({ dialect: access.open(use), plugins: [new CamelCasePlugin()] });
  return { db, access, where: access.where, close: () => db.destroy() };
}
