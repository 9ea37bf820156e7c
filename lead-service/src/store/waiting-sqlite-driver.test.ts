import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { sql } from 'kysely';
import { openTestDatabase, storeLead } from '../testing/desk-database.ts';
import { createSqlite, type TestDatabase } from '../testing/test-databases.ts';

/**
 * Another process's hold on the database. It is let go in this thread, in a turn of its own: whoever sleeps until then
 * waits in vain.
 */
function hold({ dataDirectory }: TestDatabase, statement: string): { letGoSoon(): void } {
  const other = new SqliteDatabase(join(dataDirectory, 'leads.sqlite'));
  other.exec(`begin immediate; ${statement}`);
  return { letGoSoon: () => void setTimeout(() => other.close(), 100) };
}

describe('a lock of another process on SQLite stops nothing else, and is waited for', () => {
  test('by a group of leads', async () => {
    await using database = await createSqlite();
    await using desk = await openTestDatabase(database);
    hold(database, '').letGoSoon();
    await storeLead(desk);
    assert.equal((await database.leads()).length, 1);
  });

  test('by a transaction', async () => {
    await using database = await createSqlite();
    await using desk = await openTestDatabase(database);
    await storeLead(desk);
    hold(database, '').letGoSoon();
    await desk.db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('leads').selectAll().execute();
      await transaction.deleteFrom('leads').execute();
    });
    assert.equal((await database.leads()).length, 0);
  });

  test('by a statement of its own', async () => {
    await using database = await createSqlite();
    await using desk = await openTestDatabase(database);
    await storeLead(desk);
    hold(database, '').letGoSoon();
    await desk.db.updateTable('leads').set({ status: 'won' }).execute();
  });

  test('when what was deleted is taken out of the files', async () => {
    await using database = await createSqlite();
    await using desk = await openTestDatabase(database);
    await storeLead(desk);
    hold(database, 'delete from leads').letGoSoon();
    await desk.access.scrub(desk.db);
    const { rows } = await sql<{ log: number }>`pragma wal_checkpoint`.execute(desk.db);
    assert.equal(rows[0]?.log, 0);
  });
});
