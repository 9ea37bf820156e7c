import Database from 'better-sqlite3';

/** An error of SQLite or of the file system, in a form that can be cloned between threads. */
export interface SqliteFailure {
  readonly name: string;
  readonly message: string;
  /** `SQLITE_BUSY`, `ENOSPC` … Undefined for a programming error. */
  readonly code: string | undefined;
}

export function failureOf(error: unknown): SqliteFailure {
  if (!(error instanceof Error)) return { name: 'Error', message: 'unknown reason', code: undefined };
  const { name, message } = error;
  return { name, message, code: 'code' in error ? String(error.code) : undefined };
}

/** Restores the error in the receiving thread. */
export function errorOf({ name, message, code }: SqliteFailure): Error {
  if (code?.startsWith('SQLITE_')) return new Database.SqliteError(message, code);
  return Object.assign(new Error(message), { name }, code !== undefined && { code });
}
