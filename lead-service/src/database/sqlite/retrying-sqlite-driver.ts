import { setTimeout } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { FileErrors } from './file-errors.ts';
import { errorOf } from './sqlite-failure.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import type { SqliteReply, SqliteStatement, SqliteStatements } from './sqlite-session.ts';

/** Milliseconds between attempts of a statement while the database is locked. */
const retryInterval = 10;

/** Statements that run in one transaction, as one query for Kysely. It returns the rows of the first. */
interface BatchQuery extends CompiledQuery {
  readonly batch: SqliteStatements;
}

export function batchQuery(first: SqliteStatement, ...others: readonly SqliteStatement[]): BatchQuery {
  return { ...CompiledQuery.raw(first.sql, [...first.parameters]), batch: [first, ...others] };
}

/**
 * Driver with one connection, which Kysely gives to one query or transaction at a time. Waits for locks of other processes by
 * retries on SQLITE_BUSY, because SQLite's own busy timeout would block the thread.
 */
export class RetryingSqliteDriver implements Driver {
  readonly #open: () => Promise<SqliteConnection>;
  readonly #timeout: number;
  readonly #fileErrors: FileErrors | undefined;
  #client: SqliteConnection | undefined;
  #connection: RetryingConnection | undefined;

  /**
   * @param timeout how long a statement waits for a lock, in milliseconds
   * @param fileErrors records the results of statements
   */
  constructor(open: () => Promise<SqliteConnection>, timeout: number, fileErrors: FileErrors | undefined) {
    this.#open = open;
    this.#timeout = timeout;
    this.#fileErrors = fileErrors;
  }

  async init(): Promise<void> {
    this.#client = await this.#open();
    this.#connection = new RetryingConnection(this.#client, this.#timeout, this.#fileErrors);
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#connection === undefined) throw new TypeError('The database is not open. Call init() first.');
    return this.#connection;
  }

  /**
   * Takes the write lock at the start, because SQLite cannot wait when a reading transaction starts to write. Read-only
   * transactions take no write lock.
   */
  async beginTransaction(connection: DatabaseConnection, { accessMode }: TransactionSettings): Promise<void> {
    const begin = accessMode === 'read only' ? 'begin deferred' : 'begin immediate';
    await connection.executeQuery(CompiledQuery.raw(begin));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  /** SQLite has already rolled back when the disk is full. A second rollback would fail and hide the reason. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection?.inTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async releaseConnection(): Promise<void> {
    // The only connection stays open.
  }

  async destroy(): Promise<void> {
    await this.#client?.close();
  }
}

class RetryingConnection implements DatabaseConnection {
  readonly #client: SqliteConnection;
  readonly #timeout: number;
  readonly #fileErrors: FileErrors | undefined;
  #inTransaction = false;

  constructor(client: SqliteConnection, timeout: number, fileErrors: FileErrors | undefined) {
    this.#client = client;
    this.#timeout = timeout;
    this.#fileErrors = fileErrors;
  }

  get inTransaction(): boolean {
    return this.#inTransaction;
  }

  async executeQuery<Row>(query: CompiledQuery | BatchQuery): Promise<QueryResult<Row>> {
    // Only batches store leads, and no lead may go to a damaged file.
    if ('batch' in query && this.#fileErrors?.damage) throw errorOf(this.#fileErrors.damage);
    const deadline = performance.now() + this.#timeout;
    for (;;) {
      const { sql, parameters } = query;
      const reply = await this.#client.run('batch' in query ? query.batch : [{ sql, parameters }]);
      this.#inTransaction = reply.inTransaction;
      this.#fileErrors?.note(reply);
      if (reply.kind === 'done') {
        return { rows: reply.rows as Row[], numAffectedRows: BigInt(reply.changes) };
      }
      // Outside a transaction, a statement that failed with SQLITE_BUSY had no effect, so a retry is safe.
      const isFinal = !isBusy(reply) || reply.inTransaction || performance.now() >= deadline;
      if (isFinal) throw errorOf(reply.failure);
      await setTimeout(retryInterval);
    }
  }

  // eslint-disable-next-line require-yield -- Kysely's interface requires it; the service does not stream.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new TypeError('Streaming is not supported. Read rows in pages.');
  }
}

function isBusy(reply: SqliteReply): boolean {
  return reply.kind === 'failed' && reply.failure.code?.startsWith('SQLITE_BUSY') === true;
}
