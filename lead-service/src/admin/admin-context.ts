import type { Database, DatabaseTarget } from '../database/database.ts';

/** The dependencies of an operation of sales. Shared by command line and inbox. */
export interface AdminContext {
  readonly database: Database;
  /** The spool in the data directory, if there is one. */
  readonly spool: DatabaseTarget | undefined;
  /** Folder of the local data, such as mail files. */
  readonly dataDirectory: string;
}

/** The spool of the data directory, and the database. The spool comes first, because leads move from there to the database. */
export function placesOf({ spool, database }: AdminContext): readonly DatabaseTarget[] {
  return spool === undefined ? [database] : [spool, database];
}
