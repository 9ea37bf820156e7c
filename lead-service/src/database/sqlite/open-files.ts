import { statSync } from 'node:fs';
import { basename } from 'node:path';
import Database from 'better-sqlite3';

/**
 * Detects removed or replaced files of an open SQLite database. SQLite would go on writing into the old file without an
 * error, and those writes are lost when the process ends.
 */
export class OpenFiles {
  readonly #database: Database.Database;
  /** Device and inode of each file when it was opened, by path. */
  readonly #opened: ReadonlyMap<string, string>;
  /** SQLite's `data_version` at the opening. A commit by another connection changes it. */
  readonly #version: unknown;
  /** Of the database file at the last check, in bytes. */
  #size: bigint;

  constructor(database: Database.Database) {
    this.#database = database;
    // The first read opens the write-ahead log, so that all files exist below.
    this.#version = pragma(database, 'data_version');
    const { name } = database;
    const paths = [name, walOf(name), `${name}-shm`];
    this.#opened = new Map(paths.map((path) => [path, identityOf(path)]));
    this.#size = sizeOf(name);
  }

  /** Throws an SQLite error if a path no longer refers to the opened file, or if the database file was cut off. */
  verify(): void {
    for (const [path, opened] of this.#opened) {
      if (identityOf(path) !== opened) throw moved(path);
    }
    const size = sizeOf(this.#database.name);
    if (size < this.#size && !this.#isVacuumed(size)) throw overwritten(this.#database.name);
    this.#size = size;
  }

  /**
   * Checkpoints an unlinked write-ahead log into the database file, if that is still in place. Other programs could not
   * read the unlinked log.
   */
  saveLog(): void {
    const { name } = this.#database;
    const isSafe = identityOf(name) === this.#opened.get(name) && !this.#database.inTransaction;
    if (isSafe && identityOf(walOf(name)) === nowhere) pragma(this.#database, 'wal_checkpoint(passive)');
  }

  /** Whether the file has shrunk by a `vacuum` of another program, which commits and leaves whole pages. */
  #isVacuumed(size: bigint): boolean {
    const pages = BigInt(Number(pragma(this.#database, 'page_count')));
    const isCommitted = pragma(this.#database, 'data_version') !== this.#version;
    return isCommitted && size === pages * BigInt(Number(pragma(this.#database, 'page_size')));
  }
}

function pragma(database: Database.Database, name: string): unknown {
  return database.pragma(name, { simple: true });
}

const nowhere = '';
const walOf = (file: string) => `${file}-wal`;

/** Uses stat only, because closing a file descriptor would drop SQLite's POSIX locks on the file. */
function identityOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? nowhere : `${found.dev} ${found.ino}`;
}

function sizeOf(path: string): bigint {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.size ?? 0n;
}

function moved(path: string): Error {
  return new Database.SqliteError(
    `${basename(path)} was removed or replaced while it was in use, so nothing more is stored in it. Put it back, or save what the service still holds open (docs/operate.md says how) and restart it.`,
    'SQLITE_READONLY_DBMOVED',
  );
}

function overwritten(file: string): Error {
  return new Database.SqliteError(`${basename(file)} was cut off or overwritten`, 'SQLITE_CORRUPT');
}
