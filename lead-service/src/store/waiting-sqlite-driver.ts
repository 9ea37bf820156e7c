import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { CompiledQuery, SqliteDriver, type DatabaseConnection, type QueryResult } from 'kysely';
import { rememberInserts } from './remember-inserts.ts';

const betweenAttempts = 10;

/**
 * Waits for the locks of other processes without standing in the way of everything else: SQLite itself would sleep, and
 * this process with it.
 */
export class WaitingSqliteDriver extends SqliteDriver {
  readonly #database: Database.Database;
  readonly #patience: number;
  #connection: WaitingConnection | undefined;

  /** @param patience how long a statement waits for a lock, in milliseconds */
  constructor(database: Database.Database, patience: number) {
    super({ database: rememberInserts(database) });
    this.#database = database;
    this.#patience = patience;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#connection ??= new WaitingConnection(
      await super.acquireConnection(),
      this.#database,
      this.#patience,
    );
    return this.#connection;
  }

  /** Takes the lock at the start: a transaction that reads first and writes later fails where it cannot wait. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** A full disk has already rolled back; a second attempt would hide the reason. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }
}

class WaitingConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection;
  readonly #database: Database.Database;
  readonly #patience: number;

  constructor(connection: DatabaseConnection, database: Database.Database, patience: number) {
    this.#connection = connection;
    this.#database = database;
    this.#patience = patience;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const last = performance.now() + this.#patience;
    for (;;) {
      try {
        return await this.#connection.executeQuery<Row>(query);
      } catch (error) {
        // Outside a transaction, a statement that found a lock has done nothing.
        if (!isBusy(error) || this.#database.inTransaction || performance.now() >= last) throw error;
        await setTimeout(betweenAttempts);
      }
    }
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.#connection.streamQuery<Row>(query, chunkSize);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}
