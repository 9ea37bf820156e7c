import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { sampleLead } from '../testing/sample-lead.ts';
import { serveDatabase } from '../testing/served-app.ts';
import { databaseKinds, postgres, type TestDatabase } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';
import type { DatabaseLocation } from './database-access.ts';
import { accessDatabase } from './dialects.ts';
import { migrate } from './migrate.ts';

function connect(location: DatabaseLocation): Kysely<unknown> & AsyncDisposable {
  return new Kysely({ dialect: accessDatabase(location, console).open('requests') });
}

async function value(db: Kysely<unknown>, statement: string): Promise<unknown> {
  const { rows } = await sql<Record<string, unknown>>`${sql.raw(statement)}`.execute(db);
  return Object.values(rows[0] ?? {})[0];
}

for (const kind of databaseKinds) {
  test(`migrations on ${kind.name}: a failed run leaves nothing behind`, kind.options, async () => {
    await using database = await kind.create();
    const steps: Record<string, Migration> = {
      '001': { up: (db) => db.schema.createTable('half').addColumn('id', 'text').execute() },
      '002': { up: () => Promise.reject(new Error('breaks off')) },
    };
    await assert.rejects(migrate(accessDatabase(database.location, console), steps), /breaks off/);

    await using db = connect(database.location);
    const tables = (await db.introspection.getTables()).map(({ name }) => name);
    assert.ok(!tables.includes('half'));
  });
}

describe('a connection to SQLite', () => {
  const sqlite = databaseKinds.find(({ name }) => name === 'SQLite') ?? assert.fail();

  test('syncs every commit to disk', async () => {
    await using database = await sqlite.create();
    await using db = connect(database.location);
    const full = 2;
    assert.equal(await value(db, 'pragma synchronous'), full);
    assert.equal(await value(db, 'pragma journal_mode'), 'wal');
    assert.equal(await value(db, 'pragma foreign_keys'), 1);
  });

  test('reports a full disk as unavailable', async () => {
    await using database = await sqlite.create();
    await using db = connect(database.location);
    await value(db, 'create table blobs (content blob)');
    await value(db, 'pragma max_page_count = 3');
    const isUnavailable = (error: unknown) =>
      accessDatabase(database.location, console).unavailability(error) === 'database or disk is full';
    const filling = db
      .transaction()
      .execute((transaction) => sql`insert into blobs values (zeroblob(100000))`.execute(transaction));
    await assert.rejects(filling, isUnavailable);
  });
});

describe('a connection to PostgreSQL', postgres.options, () => {
  const create = (): Promise<TestDatabase> => postgres.create();

  for (const [setting, effect] of [
    ['off', 'on'],
    ['remote_apply', 'remote_apply'],
  ] as const) {
    test(`commits with ${effect} on a server with synchronous_commit ${setting}`, async () => {
      await using database = await create();
      assert.ok(database.location.kind === 'postgres');
      const url = new URL(database.location.url);
      url.searchParams.set('options', `-c synchronous_commit=${setting}`);
      await using db = connect({ kind: 'postgres', url: url.href });
      assert.equal(await value(db, 'show synchronous_commit'), effect);
    });
  }

  test('uses only the schema that its URL names', async () => {
    await using database = await create();
    assert.ok(database.location.kind === 'postgres');
    const url = new URL(database.location.url);
    url.searchParams.set('options', '-c search_path=other');
    await database.execute('create schema other');
    await migrate(accessDatabase(database.location, console));
    await migrate(accessDatabase({ kind: 'postgres', url: url.href }, console));
    await database.execute('select id from public.leads union select id from other.leads');
  });

  test('spools a lead when it breaks, and the lead then moves to the database', async () => {
    await using database = await create();
    await using app = await serveDatabase(database);

    const answer = await database.whileLocked(async () => {
      const sending = app.post('/api/contact', sampleLead);
      await database.execute(endConnectionsThatWaitForLeads);
      return await sending;
    });

    assert.equal(answer.status, 202);
    assert.match(app.lines.join('\n'), /lost a database connection/);
    await until(
      async () => (await database.leads()).length,
      (value) => value >= 1,
    );
    assert.equal(await app.stores.spool?.depth(), 0);
  });
});

const endConnectionsThatWaitForLeads = `do $$ begin
  loop
    perform pg_terminate_backend(pid) from pg_locks where relation = 'leads'::regclass and not granted;
    exit when found;
  end loop;
end $$`;
