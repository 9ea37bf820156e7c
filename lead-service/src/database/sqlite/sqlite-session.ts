import { closeSync, existsSync, openSync } from 'node:fs';
import Database, { type Statement } from 'better-sqlite3';
import { OpenFiles } from './open-files.ts';
import { failureOf, type SqliteFailure } from './sqlite-failure.ts';

/** SQLite sleeps for this long, in milliseconds, before it says that a lock is held. */
const sleep = 2;

export interface SqliteStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export type SqliteStatements = readonly [SqliteStatement, ...SqliteStatement[]];

/** What became of statements. Fit to be sent from one thread to another. */
export type SqliteReply = {
  /** A transaction that earlier statements have begun is still open. */
  readonly inTransaction: boolean;
} & (
  | { readonly kind: 'done'; readonly rows: readonly unknown[]; readonly changes: number }
  | { readonly kind: 'failed'; readonly failure: SqliteFailure }
);

/** A connection to a database file, which holds up its thread. */
export class SqliteSession {
  readonly #database: Database.Database;
  readonly #files: OpenFiles;
  /** Preparing a statement takes about as long as running it. Batches are few, and always the same. */
  readonly #prepared = new Map<string, Statement<unknown[]>>();

  /**
   * Opens the file, and makes it if it is not there.
   *
   * @param lockWait for how long other processes' locks are waited for while it opens, in milliseconds
   */
  constructor(file: string, lockWait: number) {
    createFile(file);
    this.#database = new Database(file, { timeout: lockWait });
    try {
      this.#database.pragma('journal_mode = WAL');
      // The library's default for WAL, NORMAL, may lose the last commits when the power fails.
      this.#database.pragma('synchronous = FULL');
      this.#database.pragma('foreign_keys = ON');
      // What is deleted is overwritten with zeros.
      this.#database.pragma('secure_delete = ON');
      this.#database.pragma(`busy_timeout = ${sleep}`);
      this.#files = new OpenFiles(this.#database);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /**
   * Runs one statement, or several in one transaction. The rows are those of the first. Nothing is done unless it is in
   * the files that were opened, under their names.
   */
  run([first, ...others]: SqliteStatements): SqliteReply {
    try {
      const done = others.length === 0 ? this.#runOne(first) : this.#runTogether(first, others);
      if (!this.#database.inTransaction) this.#files.verify();
      return { kind: 'done', ...done, inTransaction: this.#database.inTransaction };
    } catch (error) {
      const failure = failureOf(this.#causeOf(error));
      return { kind: 'failed', failure, inTransaction: this.#database.inTransaction };
    }
  }

  /** Files that were taken away make statements fail in many ways. */
  #causeOf(error: unknown): unknown {
    try {
      this.#files.saveLog();
      this.#files.verify();
      return error;
    } catch (cause) {
      return cause;
    }
  }

  close(): void {
    this.#database.close();
  }

  #runOne({ sql, parameters }: SqliteStatement): Done {
    return execute(this.#database.prepare<unknown[]>(sql), parameters);
  }

  #runTogether(first: SqliteStatement, others: readonly SqliteStatement[]): Done {
    const run = this.#database.transaction(() => {
      const done = this.#runPrepared(first);
      for (const other of others) this.#runPrepared(other);
      return done;
    });
    // Takes the lock at the start: a transaction that reads first and writes later fails where it cannot wait.
    return run.immediate();
  }

  #runPrepared({ sql, parameters }: SqliteStatement): Done {
    const statement = this.#prepared.get(sql) ?? this.#database.prepare<unknown[]>(sql);
    this.#prepared.set(sql, statement);
    return execute(statement, parameters);
  }
}

interface Done {
  readonly rows: readonly unknown[];
  readonly changes: number;
}

function execute(statement: Statement<unknown[]>, parameters: readonly unknown[]): Done {
  return statement.reader
    ? { rows: statement.all(...parameters), changes: 0 }
    : { rows: [], changes: statement.run(...parameters).changes };
}

/**
 * Only for this user, also in a folder that others may read. The files beside it take over its mode. A file that is there
 * is left alone: closing it would take away the locks that this process has on it, which SQLite relies on.
 */
function createFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!existsSync(file)) throw error;
  }
}
