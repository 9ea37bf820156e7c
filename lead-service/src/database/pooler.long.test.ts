import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Client } from 'pg';
import { installProgram } from '../testing/install-program.ts';
import { hostService } from '../testing/hosted-service.ts';
import { createMemoryLog } from '../testing/memory-log.ts';
import { statusOfLead } from '../testing/send-lead.ts';
import { postgres, type OpenedDatabase } from '../testing/test-databases.ts';
import { startPooler, type Pooler } from '../testing/pooler.ts';
import { openDatabase } from './database.ts';

const reason =
  postgres.options.skip || (!installProgram('pgbouncer') && 'PgBouncer is missing and cannot be installed');

const serverConnections = 3;
const leads = 400;

/** Triggers that record the effective synchronous_commit of each transaction that writes into a table. */
const noteCommits = ['leads', 'rate_limits', 'erasures']
  .map(
    (table) => `create constraint trigger note_commit after insert or update on ${table}
      deferrable initially deferred for each row execute function note_commit();`,
  )
  .join('\n');
const commitNotes = `
  create table commit_notes (written text, setting text);
  create function note_commit() returns trigger language plpgsql as $$ begin
    insert into commit_notes values (tg_table_name, current_setting('synchronous_commit'));
    return null;
  end $$;
  ${noteCommits}`;

interface Behind extends AsyncDisposable {
  readonly database: OpenedDatabase;
  readonly pooler: Pooler;
}

async function behindPooler(): Promise<Behind> {
  const database = await postgres.open();
  assert.ok(database.location.kind === 'postgres');
  const pooler = await startPooler(database.location.url, serverConnections);
  return {
    database: {
      ...database,
      location: { kind: 'postgres', url: pooler.url },
      environment: { ...database.environment, DATABASE_URL: pooler.url },
    },
    pooler,
    async [Symbol.asyncDispose]() {
      await pooler[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Changes a setting of every server session behind the pooler, as a misconfigured client would. */
async function changeSessions({ url }: Pooler, statement: string): Promise<void> {
  const clients = Array.from({ length: serverConnections }, () => new Client({ connectionString: url }));
  await Promise.all(clients.map((client) => client.connect()));
  // Open transactions give each client a server connection of its own.
  await Promise.all(clients.map((client) => client.query('begin')));
  await Promise.all(clients.map((client) => client.query(statement)));
  await Promise.all(clients.map((client) => client.query('commit')));
  await Promise.all(clients.map((client) => client.end()));
}

async function rowsOf(url: string, statement: string): Promise<Record<string, string>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, string>>(statement)).rows;
  } finally {
    await client.end();
  }
}

describe('PgBouncer in transaction mode', { skip: reason }, () => {
  for (const others of ['on', 'off']) {
    test(`acknowledged leads are on disk, with synchronous_commit ${others} left in sessions`, async () => {
      await using behind = await behindPooler();
      const { database, pooler } = behind;
      await using app = await hostService(database, {
        LEADS_PER_ADDRESS: '10000',
        LEADS_PER_NETWORK: '10000',
      });
      await database.execute(commitNotes);
      await changeSessions(pooler, `set synchronous_commit to ${others}`);

      const statuses = await Promise.all(
        Array.from({ length: leads }, async (_, number) => {
          const message = `Please call me back about seat number ${number}.`;
          return statusOfLead(app, { message });
        }),
      );

      assert.deepEqual([...new Set(statuses)], [201]);
      assert.equal((await database.leads()).length, leads);
      const notes = await rowsOf(
        pooler.url,
        'select distinct written, setting from commit_notes order by written, setting',
      );
      assert.deepEqual(notes, [
        { written: 'leads', setting: 'on' },
        { written: 'rate_limits', setting: 'off' },
      ]);
    });
  }

  test('a transaction of several statements is on disk after its commit', async () => {
    await using behind = await behindPooler();
    const { database, pooler } = behind;
    const opened = await openDatabase(database.location, createMemoryLog());
    await database.execute(commitNotes);
    await changeSessions(pooler, 'set synchronous_commit to off');
    await opened.db
      .transaction()
      .execute((transaction) =>
        transaction.insertInto('erasures').values({ addressHash: 'a', erasedAt: '' }).execute(),
      );
    await opened.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((transaction) =>
        transaction.insertInto('erasures').values({ addressHash: 'b', erasedAt: '' }).execute(),
      );
    await opened.close();
    const notes = await rowsOf(pooler.url, 'select setting from commit_notes');
    assert.deepEqual(notes, [{ setting: 'on' }, { setting: 'on' }]);
  });

  test('the service leaves no setting and no lock on a connection', async () => {
    await using behind = await behindPooler();
    const { database, pooler } = behind;
    {
      await using app = await hostService(database);
      for (let number = 0; number < 20; number += 1) {
        const message = `Please call me back about seat number ${number}.`;
        assert.equal(await statusOfLead(app, { message }), 201);
      }
    }
    const settings = `select name, setting from pg_settings where source = 'session'
      and name in ('synchronous_commit', 'lock_timeout', 'statement_timeout')`;
    for (let probe = 0; probe < 20; probe += 1) assert.deepEqual(await rowsOf(pooler.url, settings), []);
    const locks = `select pid from pg_locks join pg_database on pg_database.oid = database
      where locktype = 'advisory' and datname = current_database()`;
    assert.deepEqual(await rowsOf(pooler.url, locks), []);
  });

  test('services that start together migrate one at a time', async () => {
    await using behind = await behindPooler();
    const { database } = behind;
    const opened = await Promise.all(
      Array.from({ length: 4 }, () => openDatabase(database.location, createMemoryLog())),
    );
    await Promise.all(opened.map(({ close }) => close()));
    assert.deepEqual(await database.leads(), []);
  });
});
