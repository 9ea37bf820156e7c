import { CamelCasePlugin, Kysely } from 'kysely';
import type { Log } from '../log.ts';
import { StartFailure } from '../start-failure.ts';
import type { DatabaseAccess, DatabaseLocation } from './database-access.ts';
import { accessDatabase } from './dialects.ts';
import { migrate } from './migrate.ts';
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
  try {
    await migrate(access);
  } catch (error) {
    throw error instanceof StartFailure ? error : new StartFailure(access.explain(error), { cause: error });
  }
  return connect(access);
}

/** Connects without looking: the first query finds out whether the database answers. */
export function connect(access: DatabaseAccess): Database {
  const db = new Kysely<Tables>({ dialect: access.open('requests'), plugins: [new CamelCasePlugin()] });
  return { db, access, where: access.where, close: () => db.destroy() };
}
