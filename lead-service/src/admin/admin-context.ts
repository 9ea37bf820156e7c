import type { Database } from '../database/database.ts';

/** A database with leads, whichever connection it is. */
export type LeadDatabase = Pick<Database, 'db' | 'access'>;

/** The dependencies of an operation of sales. Shared by command line and inbox. */
export interface AdminContext {
  readonly database: Database;
  /** The spool of this machine, if there is one. */
  readonly spool: LeadDatabase | undefined;
  /** Folder of the local data, such as mail files. */
  readonly dataDirectory: string;
}

/** All places with leads that this machine reaches. The spool comes first, because leads move from there to the database. */
export function placesOf({ spool, database }: AdminContext): readonly LeadDatabase[] {
  return spool === undefined ? [database] : [spool, database];
}
