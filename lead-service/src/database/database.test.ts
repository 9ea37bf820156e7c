import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import * as z from 'zod';
import { noopLog } from '../platform/log.ts';
import { StartupError } from '../platform/explained-error.ts';
import { openStores } from '../lead-store/open-stores.ts';
import { startDatabaseProxy } from '../testing/database-proxy.ts';
import { hostService } from '../testing/hosted-service.ts';
import { createMemoryLog } from '../testing/memory-log.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { storeLead } from '../testing/store-lead.ts';
import { onEachDatabase, postgres, sqlite, urlOf, type TestDatabase } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';
import { connect, openDatabase, type Database } from './database.ts';
import { migrate } from './migrate.ts';
import { accessPostgres } from './postgres-access.ts';

async function firstValue({ db }: Database, statement: string): Promise<unknown> {
  const { rows } = await sql<Record<string, unknown>>`${sql.raw(statement)}`.execute(db);
  return Object.values(rows[0] ?? {})[0];
}

onEachDatabase('migrations', (test, kind) => {
  test('a failed run leaves nothing behind', async () => {
    await using empty = await kind.create();
    const steps: Record<string, Migration> = {
      '001': { up: ({ schema }) => schema.createTable('half').addColumn('id', 'text').execute() },
      '002': { up: () => Promise.reject(new Error('breaks off')) },
    };
    await assert.rejects(migrate(empty, steps), /breaks off/);
    const tables = (await empty.db.introspection.getTables()).map(({ name }) => name);
    assert.ok(!tables.includes('half'));
  });

  test('a database that a newer version has migrated is refused', async (database) => {
    await database.execute(`insert into kysely_migration (name, timestamp) values ('999-newer', '2026')`);
    await assert.rejects(
      openDatabase(database.location, createMemoryLog()),
      /was written by another version .*999-newer.* Start that version or a newer one\.$/,
    );
  });
});

/**
 * Locks the file from another thread for a time, because SQLite blocks this one while it waits, so nothing here could end the lock. Its
 * end rolls `statement` back.
 */
async function lockFor(milliseconds: number, { dataDirectory }: TestDatabase, statement = ''): Promise<void> {
  const locking = new Worker(
    `const { DatabaseSync } = require('node:sqlite');
    const { parentPort, workerData } = require('node:worker_threads');
    const database = new DatabaseSync(workerData.file);
    database.exec('begin immediate; ' + workerData.statement);
    parentPort.postMessage('locked');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, workerData.milliseconds);
    database.close();`,
    { eval: true, workerData: { file: join(dataDirectory, 'leads.sqlite'), statement, milliseconds } },
  );
  await once(locking, 'message');
}

describe('a connection to SQLite', () => {
  test('syncs every commit to disk', async () => {
    await using database = await sqlite.create();
    const full = 2;
    assert.equal(await firstValue(database, 'pragma synchronous'), full);
    assert.equal(await firstValue(database, 'pragma journal_mode'), 'wal');
  });

  test('waits for a lock of another process: a group of leads, a transaction, a statement', async () => {
    await using database = await sqlite.open();
    await lockFor(100, database);
    await storeLead(database);
    await lockFor(100, database);
    await database.db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('leads').selectAll().execute();
      await transaction.updateTable('leads').set({ name: 'In a transaction' }).execute();
    });
    await lockFor(100, database);
    await database.db.updateTable('leads').set({ message: 'Alone' }).execute();
    const [lead] = await database.leads();
    assert.deepEqual([lead?.name, lead?.message], ['In a transaction', 'Alone']);
  });

  test('waits for a reader when deleted data is removed from the files', async () => {
    await using database = await sqlite.open();
    await storeLead(database);
    await lockFor(100, database, 'delete from leads');
    await database.access.scrub(database.db);
    assert.equal(statSync(join(database.dataDirectory, 'leads.sqlite-wal')).size, 0);
  });

  test('reports a lock that stays, and a full disk, as unavailable', async () => {
    await using database = await sqlite.open();
    const reasonOf = async (query: Promise<unknown>) =>
      database.access.unavailability(await query.catch((error: unknown) => error));
    using other = new DatabaseSync(join(database.dataDirectory, 'leads.sqlite'));
    other.exec('begin immediate');
    assert.equal(await reasonOf(storeLead(database)), 'database is locked');
    await assert.rejects(
      openDatabase(database.location, noopLog),
      /\(database is locked\)\. Another process has locked it\./,
    );
    other.exec('rollback');
    await firstValue(database, 'pragma max_page_count = 1');
    const message = 'x'.repeat(1_000_000);
    assert.equal(await reasonOf(storeLead(database, { message })), 'database or disk is full');
    await firstValue(database, 'pragma max_page_count = 1000000');
    await storeLead(database);
    assert.equal((await database.leads()).length, 1);
  });
});

test('a connection to PostgreSQL: an error with a name, of a file or of SQLite is no lost one', () => {
  const { unavailability } = accessPostgres('postgres://db.example/leads', noopLog);
  assert.equal(unavailability(new Error('Connection terminated')), 'Connection terminated');
  assert.equal(unavailability(new AggregateError([], 'connect ECONNREFUSED')), 'connect ECONNREFUSED');
  const { error } = z.string().safeParse(1);
  const ofFile = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', path: '/x' });
  const ofSqlite = Object.assign(new Error('database is locked'), { errcode: 5 });
  const bugs = [error, new SyntaxError('x'), new TypeError('x'), new StartupError('x'), 'text'];
  for (const other of [...bugs, ofFile, ofSqlite]) {
    assert.equal(unavailability(other), undefined, String(other));
  }
});

describe('a connection to PostgreSQL', postgres.options, () => {
  test('refuses a server that acknowledges commits before they are on disk', async () => {
    await using database = await postgres.create();
    const url = urlOf(database);
    url.searchParams.set('options', '-c synchronous_commit=off');
    await assert.rejects(
      openDatabase({ kind: 'postgres', url: url.href }, createMemoryLog()),
      /has synchronous_commit = off, so a crash loses leads/,
    );
  });

  test('lets services that start together migrate one at a time', async () => {
    await using created = await postgres.create();
    const opened = await Promise.all(
      Array.from({ length: 4 }, () => openDatabase(created.location, createMemoryLog())),
    );
    for (const database of opened) await database[Symbol.asyncDispose]();
    assert.deepEqual(await created.leads(), []);
  });

  test('is not lent again after a query got no response', async () => {
    await using database = await postgres.open();
    await using proxy = await startDatabaseProxy(urlOf(database));
    await using service = connect({ kind: 'postgres', url: proxy.url }, createMemoryLog());
    const update = service.db.updateTable('leads').set({ name: 'Ada' });
    // Stalls one connection only.
    proxy.blackhole('update');
    await assert.rejects(update.execute(), /Query read timeout/);
    await update.execute();
  });

  test('refuses a database in which not every name can be stored', async () => {
    await using database = await postgres.create();
    const name = `latin_${randomUUID().replaceAll('-', '')}`;
    await database.execute(`create database ${name} encoding 'LATIN1' locale 'C' template template0`);
    const url = urlOf(database);
    url.pathname = name;
    try {
      await assert.rejects(
        openStores({ kind: 'postgres', url: url.href }, database.dataDirectory, [], createMemoryLog()),
        new StartupError(
          `The database postgres://${url.host}/${name} has the encoding LATIN1, which lacks characters that visitors type. Restore it into a database with the encoding UTF8, and set DATABASE_URL to that.`,
        ),
      );
    } finally {
      await database.execute(`drop database ${name} with (force)`);
    }
  });

  test('a lead that PostgreSQL rejects is spooled and counted, and blocks no others', async () => {
    await using app = await hostService(postgres);
    await app.database.execute(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'no such customers' using errcode = '23514'; end $$;
      create trigger refuse before insert on leads for each row when (new.company = 'Refused Ltd') execute function refuse()`);
    const send = (message: string, company?: string) =>
      app.post('/api/contact', { ...sampleLead, message, company });

    const answers = await Promise.all([
      send('One of three messages.'),
      send('Two of three messages.', 'Refused Ltd'),
      send('Three of three messages.'),
    ]);
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(statuses, [201, 202, 201]);
    assert.match(await app.line('which only the spool can take'), /lead=[\da-f-]{36}/);
    await until(async () => (await app.metrics()).includes('spool_rejected 1\n'));
    assert.match(await app.metrics(), /^spool_depth 1$/m);
    assert.equal((await send('Two of three messages.', 'Refused Ltd')).status, 202);
    assert.equal((await send('The spool blocks no others.')).status, 201);
    assert.match(await app.metrics(), /^spool_depth 1$/m);
  });
});
