import { setTimeout } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { FileFaults } from './file-faults.ts';
import { errorOf } from './sqlite-failure.ts';
import type { SqliteLine } from './sqlite-line.ts';
import type { SqliteReply, SqliteStatement, SqliteStatements } from './sqlite-session.ts';

const betweenAttempts = 10;

/** Statements that are run in one transaction, and are one query to Kysely. Its rows are those of the first. */
export interface BatchQuery extends CompiledQuery {
  readonly batch: SqliteStatements;
}

export function batchQuery(first: SqliteStatement, ...others: readonly SqliteStatement[]): BatchQuery {
  return { ...CompiledQuery.raw(first.sql, [...first.parameters]), batch: [first, ...others] };
}

/**
 * Waits for the locks of other processes without standing in the way of everything else: SQLite itself would sleep, and
 * its thread with it.
 */
export class WaitingSqliteDriver implements Driver {
  readonly #open: () => Promise<SqliteLine>;
  readonly #patience: number;
  readonly #faults: FileFaults | undefined;
  #line: SqliteLine | undefined;
  #connection: WaitingConnection | undefined;

  /**
   * @param patience how long a statement waits for a lock, in milliseconds
   * @param faults is told how statements end
   */
  constructor(open: () => Promise<SqliteLine>, patience: number, faults: FileFaults | undefined) {
    this.#open = open;
    this.#patience = patience;
    this.#faults = faults;
  }

  async init(): Promise<void> {
    this.#line = await this.#open();
    this.#connection = new WaitingConnection(this.#line, this.#patience, this.#faults);
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#connection === undefined) throw new TypeError('The database has not been opened.');
    return this.#connection;
  }

  /**
   * Takes the lock at the start: a transaction that reads first and writes later fails where it cannot wait. One that only
   * reads takes none.
   */
  async beginTransaction(connection: DatabaseConnection, { accessMode }: TransactionSettings): Promise<void> {
    const begin = accessMode === 'read only' ? 'begin deferred' : 'begin immediate';
    await connection.executeQuery(CompiledQuery.raw(begin));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  /** A full disk has already rolled back; a second attempt would hide the reason. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection?.inTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async releaseConnection(): Promise<void> {
    // There is only one, and it stays open.
  }

  async destroy(): Promise<void> {
    await this.#line?.close();
  }
}

class WaitingConnection implements DatabaseConnection {
  readonly #line: SqliteLine;
  readonly #patience: number;
  readonly #faults: FileFaults | undefined;
  #inTransaction = false;

  constructor(line: SqliteLine, patience: number, faults: FileFaults | undefined) {
    this.#line = line;
    this.#patience = patience;
    this.#faults = faults;
  }

  /** As of the last statement. */
  get inTransaction(): boolean {
    return this.#inTransaction;
  }

  async executeQuery<Row>(query: CompiledQuery | BatchQuery): Promise<QueryResult<Row>> {
    if ('batch' in query && this.#faults?.damage) throw errorOf(this.#faults.damage);
    const last = performance.now() + this.#patience;
    for (;;) {
      const { sql, parameters } = query;
      const reply = await this.#line.run('batch' in query ? query.batch : [{ sql, parameters }]);
      this.#inTransaction = reply.inTransaction;
      this.#faults?.note(reply);
      if (reply.kind === 'done') {
        return { rows: reply.rows as Row[], numAffectedRows: BigInt(reply.changes) };
      }
      // Outside a transaction, a statement that found a lock has done nothing.
      const isFinal = !isBusy(reply) || reply.inTransaction || performance.now() >= last;
      if (isFinal) throw errorOf(reply.failure);
      await setTimeout(betweenAttempts);
    }
  }

  // eslint-disable-next-line require-yield -- Kysely asks for it; nobody here uses it.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new TypeError('Rows are read a page at a time.');
  }
}

function isBusy(reply: SqliteReply): boolean {
  return reply.kind === 'failed' && reply.failure.code?.startsWith('SQLITE_BUSY') === true;
}
