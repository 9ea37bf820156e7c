import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { insertLeads } from '../database/insert-leads.ts';
import { startDatabaseProxy } from '../testing/database-proxy.ts';
import { createMemoryLog } from '../testing/memory-log.ts';
import { leadToStore, incomingLead, storeLead } from '../testing/store-lead.ts';
import { postgres, sqlite, urlOf, type TestDatabase } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';
import { openStores } from './open-stores.ts';
import { openSpool } from './spool.ts';

const texts = Array.from({ length: 30 }, (_, number) => `Sent during the outage: ${number}.`);

/**
 * Opens the stores of a service behind a proxy that simulates outages of PostgreSQL.
 *
 * @param mode state of the proxy at the start of the service
 * @param given a database, and the URL of a user; by default a new one that the disposal drops
 */
async function openSharedStores(
  mode: 'pass' | 'refusing' = 'pass',
  given?: { readonly database: TestDatabase; readonly url: URL },
) {
  await using opening = new AsyncDisposableStack();
  const database = given?.database ?? opening.use(await postgres.create());
  const log = createMemoryLog();
  const proxy = opening.use(await startDatabaseProxy(given?.url ?? urlOf(database)));
  proxy.setMode(mode);
  const open = () => openStores({ kind: 'postgres', url: proxy.url }, database.dataDirectory, [], log);
  let stores = await open();
  opening.defer(() => stores[Symbol.asyncDispose]());
  const opened = opening.move();
  return {
    ...{ database, proxy, log },
    /** Stores a lead, and returns the outcome. */
    add: async (...lead: Parameters<typeof incomingLead>) =>
      (await stores.leads.add(incomingLead(...lead))).kind,
    /** Sends leads one at a time. Returns the outcome of each. */
    async send(...messages: readonly string[]) {
      const kinds: string[] = [];
      for (const message of messages) kinds.push(await this.add(message, message));
      return kinds;
    },
    /** Closes and reopens the stores, like a restart of the service. */
    async restart() {
      await stores[Symbol.asyncDispose]();
      stores = await open();
    },
    /** Once every spooled lead has been moved, expects these leads in PostgreSQL, in this order, each with one set of deliveries. */
    async expectMoved(...messages: readonly string[]) {
      await until(async () => (await stores.spool?.depth()) === 0);
      const leads = await database.leads();
      assert.deepEqual(
        leads.map(({ message }) => message),
        messages,
      );
      const planned = (await database.rows('outbox')).map(({ leadId }) => leadId);
      assert.deepEqual(
        planned.toSorted(),
        leads.map(({ id }) => id),
      );
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

// Concurrent, because these tests mostly wait.
describe('spool while PostgreSQL is unavailable', { ...postgres.options, concurrency: true }, () => {
  test('spooled leads move once and in order, and later leads are stored directly', async () => {
    await using shared = await openSharedStores();
    assert.deepEqual(await shared.send('Sent before.'), ['stored']);
    shared.proxy.setMode('refusing');
    assert.deepEqual(new Set(await shared.send(...texts)), new Set(['spooled']));
    assert.equal((await shared.database.leads()).length, 1);

    shared.proxy.setMode('pass');
    await shared.expectMoved('Sent before.', ...texts);

    assert.deepEqual(await shared.send('Sent afterwards.'), ['stored']);
    await shared.expectMoved('Sent before.', ...texts, 'Sent afterwards.');
  });

  test('a service starts and restarts without the database, and fills it once it is available', async () => {
    await using shared = await openSharedStores('refusing');
    assert.deepEqual(new Set(await shared.send(...texts.slice(0, 10))), new Set(['spooled']));
    await shared.restart();
    await shared.send(...texts.slice(10, 20));
    shared.proxy.setMode('pass');
    await shared.expectMoved(...texts.slice(0, 20));
    shared.proxy.setMode('refusing');
    await shared.send(...texts.slice(20));
    shared.proxy.setMode('pass');
    await shared.restart();
    await shared.expectMoved(...texts);
  });

  for (const when of ['before', 'after'] as const) {
    test(`a lead is stored once if the connection breaks ${when} its commit`, async () => {
      await using shared = await openSharedStores();
      await shared.send('Sent before.');
      const broken = shared.proxy.cut(when, 'insert into leads');
      assert.deepEqual(await shared.send('Sent into the break.'), ['spooled']);
      await broken;
      await shared.expectMoved('Sent before.', 'Sent into the break.');
    });

    test(`leads move once if the connection breaks ${when} the commit of the move`, async () => {
      await using shared = await openSharedStores();
      shared.proxy.setMode('refusing');
      await shared.send(...texts);
      const broken = shared.proxy.cut(when, 'insert into leads', 'commit');
      shared.proxy.setMode('pass');
      await broken;
      await shared.expectMoved(...texts);
    });
  }

  test('a repeated lead stays one, and a different lead under its key is kept', async () => {
    await using shared = await openSharedStores();
    assert.equal(await shared.add('Sent twice.', 'key'), 'stored');
    shared.proxy.setMode('refusing');
    assert.equal(await shared.add('Sent twice.', 'key'), 'spooled');
    assert.equal(await shared.add('Sent twice.', 'key'), 'repeated');
    assert.equal(await shared.add('Once.', 'used'), 'spooled');
    // Another lead claims the key in PostgreSQL.
    await insertLeads(shared.database, [leadToStore('Something else.', 'used')]);
    shared.proxy.setMode('pass');
    await shared.expectMoved('Sent twice.', 'Once.', 'Something else.');
  });

  test('a lead is refused while the spool is locked, and accepted afterwards', async () => {
    await using shared = await openSharedStores();
    shared.proxy.setMode('refusing');
    const other = new DatabaseSync(join(shared.database.dataDirectory, 'spool.sqlite'));
    other.exec('begin immediate');
    assert.deepEqual(await shared.send('Refused.', 'Refused, too.'), ['locked', 'locked']);
    const isBack = () => shared.log.lines.join().includes('leads go to the database again');
    assert.ok(!isBack(), 'the empty spool says nothing about the database');
    shared.proxy.setMode('pass');
    assert.deepEqual(await shared.send('Sent past the spool.'), ['stored']);
    assert.ok(isBack());
    shared.proxy.setMode('refusing');
    other.close();
    assert.deepEqual(await shared.send('Kept.'), ['spooled']);
    shared.proxy.setMode('pass');
    await shared.expectMoved('Sent past the spool.', 'Kept.');
  });

  test('leads go to the spool when the database refuses the login', async () => {
    await using database = await postgres.create();
    const role = `service_${randomUUID().replaceAll('-', '')}`;
    await database.execute(`create role ${role} login; grant all on schema public to ${role}`);
    const url = urlOf(database);
    url.username = role;
    const shared = await openSharedStores('pass', { database, url });
    try {
      await shared.send('Sent before.');
      await database.execute(`alter role ${role} nologin`);
      // Closes the open connections, because PostgreSQL rejects only new logins.
      shared.proxy.setMode('refusing');
      shared.proxy.setMode('pass');
      assert.deepEqual(await shared.send('Sent to a closed door.'), ['spooled']);
      await database.execute(`alter role ${role} login`);
      await shared.expectMoved('Sent before.', 'Sent to a closed door.');
    } finally {
      await shared[Symbol.asyncDispose]();
      await database.execute(
        `reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`,
      );
    }
  });
});

test('spool: without DATABASE_URL, a spool with leads refuses the start, an empty one does not', async () => {
  await using database = await sqlite.open();
  const { location, dataDirectory } = database;
  const open = () => openStores(location, dataDirectory, [], createMemoryLog());
  const spool = await openSpool(dataDirectory, createMemoryLog());
  const { id } = await storeLead(spool);
  await assert.rejects(open(), /^StartupError: \S+spool\.sqlite holds leads .* Set DATABASE_URL/);
  await spool.remove([id]);
  await spool[Symbol.asyncDispose]();
  await (await open())[Symbol.asyncDispose]();
});
