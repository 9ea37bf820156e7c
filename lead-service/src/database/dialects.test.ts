import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { StartupError } from '../platform/startup-error.ts';
import { openStores } from '../lead-store/open-stores.ts';
import { hostService } from '../testing/hosted-service.ts';
import { createMemoryLog } from '../testing/memory-log.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { databaseKinds, postgres, sqlite } from '../testing/test-databases.ts';
import { until, untilLength } from '../testing/until.ts';
import type { DatabaseLocation } from './database-access.ts';
import { openForCommand } from './database.ts';
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
  test('syncs every commit to disk', async () => {
    await using database = await sqlite.create();
    await using db = connect(database.location);
    const full = 2;
    assert.equal(await value(db, 'pragma synchronous'), full);
    assert.equal(await value(db, 'pragma journal_mode'), 'wal');
    assert.equal(await value(db, 'pragma foreign_keys'), 1);
  });

  test('is refused if the file was moved at any time while a command opens it', async (t) => {
    await using database = await sqlite.open();
    await database.rows('leads');
    const file = join(database.dataDirectory, 'leads.sqlite');
    const { pragma } = SqliteDatabase.prototype;
    let opened = 0;
    let marksAt = 0;
    t.mock.method(
      SqliteDatabase.prototype,
      'pragma',
      function (this: SqliteDatabase.Database, source: string) {
        if (source === 'journal_mode = WAL' && ++opened === marksAt) {
          const move = new SqliteDatabase(file);
          move.exec(`insert into moves (id, target, began_at, step, merged) values ('a', '', '', '', '')`);
          move.close();
        }
        return pragma.apply(this, [source]);
      },
    );
    async function runCommand(): Promise<number> {
      opened = 0;
      const command = await openForCommand(database.location, console);
      await command.db.selectFrom('leads').select('id').execute().finally(command.close);
      return opened;
    }
    const openings = await runCommand();
    for (marksAt = 1; marksAt <= openings; marksAt += 1) {
      await assert.rejects(runCommand(), /are being moved to/);
      await database.execute('delete from moves');
    }
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
  for (const [setting, effect] of [
    ['off', 'on'],
    ['remote_apply', 'remote_apply'],
  ] as const) {
    test(`commits with ${effect} on a server with synchronous_commit ${setting}`, async () => {
      await using database = await postgres.create();
      assert.ok(database.location.kind === 'postgres');
      const url = new URL(database.location.url);
      url.searchParams.set('options', `-c synchronous_commit=${setting}`);
      await using db = connect({ kind: 'postgres', url: url.href });
      assert.equal(await value(db, 'show synchronous_commit'), effect);
    });
  }

  test('uses only the schema that its URL names', async () => {
    await using database = await postgres.create();
    assert.ok(database.location.kind === 'postgres');
    const url = new URL(database.location.url);
    url.searchParams.set('options', '-c search_path=other');
    await database.execute('create schema other');
    await migrate(accessDatabase(database.location, console));
    await migrate(accessDatabase({ kind: 'postgres', url: url.href }, console));
    await database.execute('select id from public.leads union select id from other.leads');
  });

  test('refuses a database in which not every name can be stored', async () => {
    await using database = await postgres.create();
    assert.ok(database.location.kind === 'postgres');
    const name = `latin_${randomUUID().replaceAll('-', '')}`;
    await database.execute(`create database ${name} encoding 'LATIN1' locale 'C' template template0`);
    const url = new URL(database.location.url);
    url.pathname = name;
    try {
      await assert.rejects(
        openStores({ kind: 'postgres', url: url.href }, database.dataDirectory, createMemoryLog()),
        new StartupError(
          `The database postgres://${url.host}/${name} has the encoding LATIN1, which lacks characters that visitors type. Restore it into a database with the encoding UTF8, and set DATABASE_URL to that.`,
        ),
      );
    } finally {
      await database.execute(`drop database ${name} with (force)`);
    }
  });

  test('spools a lead that it refuses by itself, and counts it', async () => {
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
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 202, 201],
    );
    await until(async () => (await app.metrics()).includes('spool_rejected 1\n'));
    assert.match(await app.metrics(), /^spool_depth 1$/m);
    assert.equal((await send('Two of three messages.', 'Refused Ltd')).status, 202);
    assert.equal((await send('The spool blocks no others.')).status, 201);
    assert.match(await app.metrics(), /^spool_depth 1$/m);
  });

  test('spools a lead when it breaks, and the lead then moves to the database', async () => {
    await using app = await hostService(postgres);

    const answer = await app.database.whileLocked(async () => {
      const sending = app.post('/api/contact', sampleLead);
      await app.database.execute(endConnectionsThatWaitForLeads);
      return await sending;
    });

    assert.equal(answer.status, 202);
    assert.match(
      app.lines.join('\n'),
      /lost a database connection \(reason=Connection terminated unexpectedly\)$/m,
    );
    await untilLength(() => app.database.leads(), 1);
    assert.match(await app.metrics(), /^spool_depth 0$/m);

    await app.database.execute(endIdleConnections);
    const reason = 'reason=terminating connection due to administrator command';
    await until(
      () => app.lines,
      (lines) => lines.some((line) => line.endsWith(`connection (code=57P01 ${reason})`)),
    );
  });
});

const endIdleConnections = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

const endConnectionsThatWaitForLeads = `do $$ begin
  loop
    perform pg_terminate_backend(pid) from pg_locks where relation = 'leads'::regclass and not granted;
    exit when found;
  end loop;
end $$`;
