import Database from 'better-sqlite3';

/** An error of SQLite or of its files, fit to be sent from one thread to another. */
export interface SqliteFailure {
  readonly name: string;
  readonly message: string;
  /** `SQLITE_BUSY`, `ENOSPC` … Undefined: a mistake of ours. */
  readonly code: string | undefined;
}

export function failureOf(error: unknown): SqliteFailure {
  if (!(error instanceof Error)) return { name: 'Error', message: 'unknown reason', code: undefined };
  const { name, message } = error;
  return { name, message, code: 'code' in error ? String(error.code) : undefined };
}

/** The error that it was on the other side. */
export function errorOf({ name, message, code }: SqliteFailure): Error {
  if (code?.startsWith('SQLITE_')) return new Database.SqliteError(message, code);
  return Object.assign(new Error(message), { name }, code !== undefined && { code });
}
