import type { Database } from '../store/database.ts';

/** Somebody who works with leads, and what they work on. The same for all ways in: command line, API and inbox. */
export interface Desk {
  readonly database: Database;
  /** Folder of this machine's part: mails that were written as files, and the spool. */
  readonly dataDirectory: string;
  /** Who it is, for the audit log: the name of a token, or `cli:` and the user of the machine. */
  readonly actor: string;
}
