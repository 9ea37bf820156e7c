import SqliteDatabase from 'better-sqlite3';
import { CamelCasePlugin, Kysely, SqliteDialect } from 'kysely';
import type { Tables } from '../tables.ts';

/**
 * Opens a database file so that no other process can open it until `destroy()`, or until this process ends, even if it is
 * killed. Returns undefined while another process has the file open: a connection holds a shared lock as long as it lives.
 */
export function openExclusively(file: string): Kysely<Tables> | undefined {
  const database = new SqliteDatabase(file, { fileMustExist: true, timeout: 0 });
  try {
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('synchronous = FULL');
    // The first access takes the lock.
    database.exec('begin exclusive; commit');
  } catch (error) {
    database.close();
    if (error instanceof SqliteDatabase.SqliteError && error.code === 'SQLITE_BUSY') return undefined;
    throw error;
  }
  return new Kysely<Tables>({
    dialect: new SqliteDialect({ database }),
    plugins: [new CamelCasePlugin()],
  });
}
