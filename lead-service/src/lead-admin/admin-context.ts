import type { Database } from '../database/database.ts';

/** The dependencies of an admin operation, and its actor. Shared by command line, API and inbox. */
export interface AdminContext {
  readonly database: Database;
  /** Folder of the local data: mail files and the spool. */
  readonly dataDirectory: string;
  /** Actor in the audit log: the name of a token, or `cli:` and the user name. */
  readonly actor: string;
}
