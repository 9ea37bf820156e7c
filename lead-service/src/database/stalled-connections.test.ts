import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Client } from 'pg';
import { acceptedLead } from '../testing/accepted-lead.ts';
import { startDatabaseProxy } from '../testing/database-proxy.ts';
import { createMemoryLog } from '../testing/memory-log.ts';
import { startService } from '../testing/service-process.ts';
import { openSharedStores } from '../testing/shared-stores.ts';
import { databaseKinds, type TestDatabase } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';
import { accessDatabase } from './dialects.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/migrations.ts';

/** What the look at the schema asks, and what a migration asks first. */
const look = 'to_regclass';
const firstQuestion = 'current_schema() as schema';

function describeHalfDead(create: () => Promise<TestDatabase>): void {
  for (const [what, text] of [
    ['the look at its schema', look],
    ['a migration', firstQuestion],
  ] as const) {
    test(`a service listens, and stops, although the line goes dead in ${what}`, async () => {
      await using database = await create();
      assert.ok(database.location.kind === 'postgres');
      await using proxy = await startDatabaseProxy(database.location.url);
      const hushed = proxy.hush(text);
      await using service = startService({ ...database.environment, DATABASE_URL: proxy.url });
      await service.url();
      await hushed;
      assert.match(service.stderr.join('\n'), /Leads are kept in \S+ until it does/);
      service.child.kill('SIGTERM');
      assert.deepEqual(await service.exit, { code: 0, signal: null });
    });
  }

  test('leads move over although the line went dead when it came back', async () => {
    await using database = await create();
    await using shared = await openSharedStores(database);
    shared.proxy.become('refusing');
    assert.equal((await shared.stores.leads.add(acceptedLead('Meanwhile.', 'a'))).kind, 'spooled');
    const hushed = shared.proxy.hush(look);
    shared.proxy.become('through');
    await hushed;
    await until(async () => (await shared.stores.leads.spoolDepth()) === 0);
    assert.deepEqual(await shared.messages(), ['Meanwhile.']);
  });

  test('a connection on which a lead got no answer is not used again', async () => {
    await using database = await create();
    await using shared = await openSharedStores(database);
    assert.equal((await shared.stores.leads.add(acceptedLead('Before.', 'a'))).kind, 'stored');
    const hushed = shared.proxy.hush('insert into leads');
    assert.equal((await shared.stores.leads.add(acceptedLead('Into silence.', 'b'))).kind, 'spooled');
    await hushed;
    const { db } = shared.stores.database;
    await db.updateTable('leads').set({ status: 'won' }).execute();
    await until(async () => (await shared.messages()).length === 2);
  });

  test('a query that got no answer is not followed by another on its connection', async () => {
    await using database = await create();
    await using shared = await openSharedStores(database);
    const { db } = shared.stores.database;
    const hushed = shared.proxy.hush('suppressed_addresses');
    await assert.rejects(db.selectFrom('suppressedAddresses').selectAll().execute());
    await hushed;
    assert.deepEqual(await db.selectFrom('suppressedAddresses').selectAll().execute(), []);
  });

  test('who finds somebody else migrating gives up after a while, as if it were away', async () => {
    await using database = await create();
    assert.ok(database.location.kind === 'postgres');
    const access = accessDatabase(database.location, createMemoryLog());
    const other = new Client({ connectionString: database.location.url });
    await other.connect();
    await other.query('select pg_advisory_lock(3853314791062309107)');
    await assert.rejects(
      migrate(access, migrations, 500),
      (error) =>
        access.unavailability(error) ===
        'its schema could not be changed in time, it may be changing already',
    );
    await other.end();
    await migrate(access);
  });

  test('a schema that is up to date is left alone while somebody else migrates', async () => {
    await using database = await create();
    assert.ok(database.location.kind === 'postgres');
    const access = accessDatabase(database.location, createMemoryLog());
    await migrate(access);
    const other = new Client({ connectionString: database.location.url });
    await other.connect();
    await other.query('select pg_advisory_lock(3853314791062309107)');
    await migrate(access, migrations, 500);
    await other.end();
  });
}

for (const kind of databaseKinds.filter(({ name }) => name === 'PostgreSQL')) {
  // All at once: they mostly wait.
  describe('when a line to PostgreSQL goes dead without a word', { concurrency: true }, () =>
    describeHalfDead(kind.create),
  );
}
