import type { Dialect, Kysely } from 'kysely';
import type { LeadRows } from './insert-statements.ts';
import type { Tables } from './tables.ts';

export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly directory: string; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** `requests` have timeouts of seconds, because a visitor waits. `commands` have timeouts of minutes. */
export type ConnectionUse = 'requests' | 'commands';

export interface CounterAddition {
  readonly key: string;
  /** A second key. If it counts already, the addition repeats an earlier one and adds nothing. */
  readonly once: string | null;
  readonly points: number;
  /** End of the window that this addition begins. */
  readonly endsAt: string;
}

/** The differences between SQLite and PostgreSQL, behind one interface. */
export interface DatabaseAccess {
  /** Location of the database for messages, without user and password. */
  readonly where: string;
  /** Whether several transactions write at a time. Queries then support row locks and SKIP LOCKED. */
  readonly hasSeveralWriters: boolean;
  /** Opens connections for one use. A commit returns once it is on disk. */
  open(use: ConnectionUse): Dialect;
  /** Why this database must not be used although it answers, and what to do, as sentences for the operator. */
  findUnsuitable(db: Kysely<Tables>): Promise<string | undefined>;
  /**
   * Claims the free and expired keys, and inserts the leads of those claims with their outbox rows, atomically. Returns the
   * ids of these leads.
   */
  insertGroup(db: Kysely<Tables>, rows: LeadRows): Promise<readonly string[]>;
  /**
   * Adds points to the keys of a batch, and returns those of each key and the end of its window. An ended window begins again.
   * Undefined if only one process uses the database, which counts in its memory.
   */
  readonly addToCounters:
    | ((db: Kysely<Tables>, batch: readonly CounterAddition[]) => Promise<readonly Tables['counters'][]>)
    | undefined;
  /** Removes deleted data from the database files, if the database does not do so itself. */
  scrub(db: Kysely<Tables>): Promise<void>;
  /** The reason, without text of a lead, if the database is unavailable, and a retry or an operator may help. Undefined for a bug. */
  unavailability(error: unknown): string | undefined;
  /** Whether an error that means unavailability is a rejection of this service, so that the operator must correct its settings. */
  isWrongSetting(error: unknown): boolean;
  /** Why the database could not be opened and what to do, as sentences for the operator. */
  explain(error: unknown): string;
}
