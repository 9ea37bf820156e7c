import { CamelCasePlugin, Kysely, sql } from 'kysely';
import type { Log } from '../log.ts';
import { StartFailure } from '../start-failure.ts';
import type { ConnectionUse, DatabaseAccess, DatabaseLocation } from './database-access.ts';
import { accessDatabase } from './dialects.ts';
import { migrate, schemaAge, type SchemaAge } from './migrate.ts';
import type { Tables } from './tables.ts';

/** A database whose schema is up to date. */
export interface Database {
  readonly db: Kysely<Tables>;
  readonly access: DatabaseAccess;
  /** Where it is, for people. Holds no password. */
  readonly where: string;
  close(): Promise<void>;
}

/** Opens a database and brings its schema up to date. Throws {@link StartFailure} when that is impossible. */
export async function openDatabase(location: DatabaseLocation, log: Log): Promise<Database> {
  const access = accessDatabase(location, log);
  await orStartFailure(access, migrate(access));
  const database = connect(access);
  // Opens it now: a file that is taken away from now on is missed, and not made again.
  await orStartFailure(access, sql`select 1`.execute(database.db));
  return database;
}

/**
 * Opens a database for a command beside a service, and leaves its schema alone: changed, it would no longer be that of a
 * service that is running. Throws {@link StartFailure} when the schema is another than this code's.
 */
export async function openForCommand(location: DatabaseLocation, log: Log): Promise<Database> {
  const access = accessDatabase(location, log);
  const age = await orStartFailure(access, schemaAge(access));
  if (age !== 'current') throw new StartFailure(`The schema of ${access.where} is ${whatToDo[age]}`);
  return connect(access, 'commands');
}

const whatToDo: Record<Exclude<SchemaAge, 'current'>, string> = {
  older:
    'older than this command. Run the command "migrate" or start the service of this version, then try again.',
  newer: 'newer than this command. Use the command of the version that the service runs.',
};

async function orStartFailure<Result>(access: DatabaseAccess, opening: Promise<Result>): Promise<Result> {
  try {
    return await opening;
  } catch (error) {
    throw error instanceof StartFailure ? error : new StartFailure(access.explain(error), { cause: error });
  }
}

/** Connects without looking: the first query finds out whether the database answers. */
export function connect(access: DatabaseAccess, use: ConnectionUse = 'requests'): Database {
  const db = new Kysely<Tables>({ dialect: access.open(use), plugins: [new CamelCasePlugin()] });
  return { db, access, where: access.where, close: () => db.destroy() };
}
