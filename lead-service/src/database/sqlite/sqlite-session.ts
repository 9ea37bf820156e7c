import { closeSync, existsSync, openSync } from 'node:fs';
import Database, { type Statement } from 'better-sqlite3';
import { OpenFiles } from './open-files.ts';
import { failureOf, type SqliteFailure } from './sqlite-failure.ts';

/** In milliseconds. It is short because SQLite blocks the thread while it waits for a lock. */
const busyTimeout = 2;

export interface SqliteStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export type SqliteStatements = readonly [SqliteStatement, ...SqliteStatement[]];

/** Rows and number of changed rows of a statement. */
interface Done {
  readonly rows: readonly unknown[];
  readonly changes: number;
}

/** Result of statements, in a form that can be cloned between threads. */
export type SqliteReply = {
  /** Whether a transaction is open after the statements. */
  readonly inTransaction: boolean;
} & (({ readonly kind: 'done' } & Done) | { readonly kind: 'failed'; readonly failure: SqliteFailure });

/** A synchronous connection to a database file, which blocks its thread. */
export class SqliteSession {
  readonly #database: Database.Database;
  readonly #files: OpenFiles;
  /** Caches statements of batches, because preparing takes about as long as running. They are few and constant. */
  readonly #prepared = new Map<string, Statement<unknown[]>>();

  /**
   * Opens the file, and creates it if it is missing.
   *
   * @param lockWait how long opening waits for locks of other processes, in milliseconds
   */
  constructor(file: string, lockWait: number) {
    createFile(file);
    this.#database = new Database(file, { timeout: lockWait });
    try {
      this.#database.pragma('journal_mode = WAL');
      // With WAL, the library defaults to NORMAL, which may lose the last commits in a power failure.
      this.#database.pragma('synchronous = FULL');
      this.#database.pragma('foreign_keys = ON');
      // Overwrites deleted data with zeros.
      this.#database.pragma('secure_delete = ON');
      this.#database.pragma(`busy_timeout = ${busyTimeout}`);
      this.#files = new OpenFiles(this.#database);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /**
   * Runs one statement, or several in one transaction. Returns the result of the first. Also fails after a commit if the
   * opened files are no longer at their paths, because what was committed is lost then.
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

  /** The removal of the files if they were removed, which causes many different errors; otherwise the given error. */
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
    // Takes the write lock at the start, because SQLite cannot wait when a reading transaction starts to write.
    return run.immediate();
  }

  #runPrepared({ sql, parameters }: SqliteStatement): Done {
    const statement = this.#prepared.get(sql) ?? this.#database.prepare<unknown[]>(sql);
    this.#prepared.set(sql, statement);
    return execute(statement, parameters);
  }
}

function execute(statement: Statement<unknown[]>, parameters: readonly unknown[]): Done {
  return statement.reader
    ? { rows: statement.all(...parameters), changes: 0 }
    : { rows: [], changes: statement.run(...parameters).changes };
}

/**
 * Creates the file, readable only by this user. The WAL files inherit its mode. An existing file is not opened, because
 * closing it would drop this process's POSIX locks, on which SQLite relies.
 */
function createFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!existsSync(file)) throw error;
  }
}
