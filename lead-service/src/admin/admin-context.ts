import type { Database } from '../database/database.ts';

/** The dependencies of an operation of sales. Shared by command line and inbox. */
export interface AdminContext {
  readonly database: Database;
  /** Folder of the local data: mail files and the spool. */
  readonly dataDirectory: string;
}
