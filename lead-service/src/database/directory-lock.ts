import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { StartFailure } from '../start-failure.ts';

/** One service at a time works in a data directory. */
export interface DirectoryLock {
  release(): void;
}

/**
 * Locks a data directory until it is released or the process ends, however it ends: the operating system keeps the lock
 * of SQLite, and drops it with the process. Throws {@link StartFailure} when somebody else has it.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const file = join(directory, 'service.lock');
  let lock: SqliteDatabase.Database | undefined;
  try {
    // Only for this user: what lies in there is personal data.
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    lock = new SqliteDatabase(file, { timeout: 0 });
    lock.exec('begin exclusive');
  } catch (error) {
    lock?.close();
    throw new StartFailure(explain(directory, error), { cause: error });
  }
  const held = lock;
  return { release: () => void held.close() };
}

function explain(directory: string, error: unknown): string {
  if (error instanceof SqliteDatabase.SqliteError && error.code === 'SQLITE_BUSY') {
    return `Another lead service works in ${directory}. Stop it, or set DATA_DIR to another folder.`;
  }
  const reason = error instanceof Error ? error.message : 'unknown reason';
  return `Cannot write to ${directory} (${reason}). Set DATA_DIR to a folder that this user may write to.`;
}
