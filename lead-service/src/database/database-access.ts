import type { Dialect, Kysely, QueryExecutorProvider } from 'kysely';
import type { GroupInsert } from './group-insert.ts';
import type { Tables } from './tables.ts';

export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly directory: string; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string };

export type ConnectionUse = 'requests' | 'probe' | 'commands' | 'migration' | 'counters';

/** The differences between SQLite and PostgreSQL, behind one interface. */
export interface DatabaseAccess {
  /** Location of the database for messages, without user and password. */
  readonly where: string;
  /** Whether queries support SKIP LOCKED. A database without it has a single writer at a time. */
  readonly skipsLocked: boolean;
  /**
   * Opens connections for one use. A commit returns once it is on disk, and every query has a timeout.
   *
   * Timeouts are seconds for requests and probes, minutes for commands and migrations. Connections for requests never
   * block this thread. Connections for counters have short timeouts and commit asynchronously, because a lost count
   * does no harm.
   */
  open(use: ConnectionUse): Dialect;
  /**
   * Takes the migration lock: waits until no other service changes the schema, and holds the lock until the transaction
   * ends.
   */
  takeTurn(transaction: Kysely<unknown>): Promise<void>;
  currentSchema(db: Kysely<unknown>): Promise<string | undefined>;
  hasTable(db: Kysely<unknown>, table: string): Promise<boolean>;
  /** Why this database must not be used although it answers, and what to do, as sentences for the operator. */
  findUnsuitable(db: QueryExecutorProvider): Promise<string | undefined>;
  readonly insertGroup: GroupInsert;
  /** Removes deleted data from the database files, where the database leaves that to its clients. */
  scrub(db: Kysely<Tables>): Promise<void>;
  /**
   * Damage of the database files found so far, and the remedy, as sentences for the operator. While it is set, no lead
   * is stored.
   */
  lastError(): string | undefined;
  /**
   * The reason if the database is unavailable and a retry may succeed. Undefined for a programming error. Quotes no
   * data.
   */
  unavailability(error: unknown): string | undefined;
  /** Whether the database answers but rejects this service. At startup, the operator must then correct the settings. */
  isRefusal(error: unknown): boolean;
  /** Why the database could not be opened and what to do, as sentences for the operator. */
  explain(error: unknown): string;
}
