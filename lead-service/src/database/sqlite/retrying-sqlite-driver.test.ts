import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { sql } from 'kysely';
import { storeLead } from '../../testing/store-lead.ts';
import { sqlite, type TestDatabase } from '../../testing/test-databases.ts';

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
    await using database = await sqlite.open();
    hold(database, '').releaseSoon();
    await storeLead(database);
    assert.equal((await database.leads()).length, 1);
  });

  test('for a transaction', async () => {
    await using database = await sqlite.open();
    await storeLead(database);
    hold(database, '').releaseSoon();
    await database.db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('leads').selectAll().execute();
      await transaction.deleteFrom('leads').execute();
    });
    assert.equal((await database.leads()).length, 0);
  });

  test('for a single statement', async () => {
    await using database = await sqlite.open();
    await storeLead(database);
    hold(database, '').releaseSoon();
    await database.db.updateTable('leads').set({ status: 'won' }).execute();
    const { status } = await database.db.selectFrom('leads').select('status').executeTakeFirstOrThrow();
    assert.equal(status, 'won');
  });

  test('when deleted data is removed from the files', async () => {
    await using database = await sqlite.open();
    await storeLead(database);
    hold(database, 'delete from leads').releaseSoon();
    await database.access.scrub(database.db);
    const { rows } = await sql<{ log: number }>`pragma wal_checkpoint`.execute(database.db);
    assert.equal(rows[0]?.log, 0);
  });
});
