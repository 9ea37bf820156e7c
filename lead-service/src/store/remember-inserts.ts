import type { Database, Statement } from 'better-sqlite3';
import type { SqliteDatabase } from 'kysely';

/** Each stands for one table and one size of group. */
const mostStatements = 96;

/**
 * A database that keeps the inserts it has prepared, the last ones used: for a group of leads, preparing takes about as
 * long as inserting. Reads are left alone, as one that is still being read cannot be run again.
 */
export function rememberInserts(database: Database): SqliteDatabase {
  const statements = new Map<string, Statement<unknown[]>>();
  return {
    close: () => void database.close(),
    prepare(sql) {
      const statement = statements.get(sql) ?? database.prepare<unknown[]>(sql);
      if (!sql.startsWith('insert into')) return statement;
      statements.delete(sql);
      statements.set(sql, statement);
      const [oldest] = statements.keys();
      if (statements.size > mostStatements && oldest !== undefined) statements.delete(oldest);
      return statement;
    },
  };
}
