import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { sql } from 'kysely';
import { openTestDatabase, storeLead } from '../../testing/admin-database.ts';
import { createSqlite, type TestDatabase } from '../../testing/test-databases.ts';

/**
 * Locks the database from a second connection and releases it by a timer in this thread. A driver that blocks the
 * thread would therefore wait for ever.
 */
function hold({ dataDirectory }: TestDatabase, statement: string): { releaseSoon(): void } {
  const other = new SqliteDatabase(join(dataDirectory, 'leads.sqlite'));
  other.exec(`begin immediate; ${statement}`);
  return { releaseSoon: () => void setTimeout(() => other.close(), 100) };
}

describe('retrying SQLite driver: waits for a lock of another process without blocking the thread', () => {
  test('for a group of leads', async () => {
    await using database = await createSqlite();
    await using context = await openTestDatabase(database);
    hold(database, '').releaseSoon();
    await storeLead(context);
    assert.equal((await database.leads()).length, 1);
  });

  test('for a transaction', async () => {
    await using database = await createSqlite();
    await using context = await openTestDatabase(database);
    await storeLead(context);
    hold(database, '').releaseSoon();
    await context.db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('leads').selectAll().execute();
      await transaction.deleteFrom('leads').execute();
    });
    assert.equal((await database.leads()).length, 0);
  });

  test('for a single statement', async () => {
    await using database = await createSqlite();
    await using context = await openTestDatabase(database);
    await storeLead(context);
    hold(database, '').releaseSoon();
    await context.db.updateTable('leads').set({ status: 'won' }).execute();
    const { status } = await context.db.selectFrom('leads').select('status').executeTakeFirstOrThrow();
    assert.equal(status, 'won');
  });

  test('when deleted data is removed from the files', async () => {
    await using database = await createSqlite();
    await using context = await openTestDatabase(database);
    await storeLead(context);
    hold(database, 'delete from leads').releaseSoon();
    await context.access.scrub(context.db);
    const { rows } = await sql<{ log: number }>`pragma wal_checkpoint`.execute(context.db);
    assert.equal(rows[0]?.log, 0);
  });
});
