import type { Dialect, Kysely } from 'kysely';
import type { GroupInsert } from './group-insert.ts';
import type { Tables } from './tables.ts';

export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly directory: string; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string };

export type ConnectionUse = 'requests' | 'look' | 'commands' | 'migration' | 'counters';

/** What the rest of the store needs to know of a database, whichever it is. */
export interface DatabaseAccess {
  /** Names the database to people, without user and password. */
  readonly where: string;
  /** Whether a query can pass over rows that somebody else has locked. One that cannot has a single writer at a time. */
  readonly skipsLocked: boolean;
  /**
   * Connections on which a commit returns once it is on disk. All of them give up on an answer that does not come; those
   * for requests and for one look within seconds, those for commands and migrations within minutes. Those for requests
   * never hold up this thread. Those for counters wait neither for the disk nor long: a lost count is no loss.
   */
  open(use: ConnectionUse): Dialect;
  /** Waits until no other service changes the schema, and keeps others waiting until the transaction ends. */
  takeTurn(transaction: Kysely<unknown>): Promise<void>;
  /** The schema that unqualified names refer to, if the database has schemas. */
  currentSchema(db: Kysely<unknown>): Promise<string | undefined>;
  /** Whether the schema that unqualified names refer to has a table. */
  hasTable(db: Kysely<unknown>, table: string): Promise<boolean>;
  /** The one query that stores a group of leads. */
  readonly insertGroup: GroupInsert;
  /** Takes what was deleted out of the files as well, as far as the database leaves that to its clients. */
  scrub(db: Kysely<Tables>): Promise<void>;
  /**
   * What is wrong with the files of the database and what to do, as sentences for the operator, as far as the statements so
   * far have shown. Until a person mends it, no lead is stored.
   */
  fault(): string | undefined;
  /** Why the same statement may succeed later, or undefined if the error is a mistake of ours. Quotes no data. */
  unavailability(error: unknown): string | undefined;
  /** Whether the database answers and lets this service not in: at a start somebody has to correct the settings. */
  isRefusal(error: unknown): boolean;
  /** Why the database could not be opened and what to do, as sentences for the operator. */
  explain(error: unknown): string;
}
