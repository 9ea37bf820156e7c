import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Client } from 'pg';
import { createMemoryLog } from '../testing/memory-log.ts';
import { startService } from '../testing/service-process.ts';
import { openSharedStores } from '../testing/shared-stores.ts';
import { acceptedLead } from '../testing/store-lead.ts';
import { postgres } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';
import { startDatabaseProxy } from '../testing/database-proxy.ts';
import { accessDatabase } from './dialects.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/migrations.ts';

/** SQL text of the schema check, and of the first query of a migration. */
const schemaCheck = 'to_regclass';
const firstMigrationQuery = 'current_schema() as schema';

// Concurrent, because these tests mostly wait.
describe('stalled connection to PostgreSQL', { ...postgres.options, concurrency: true }, () => {
  for (const [what, text] of [
    ['its schema check', schemaCheck],
    ['a migration', firstMigrationQuery],
  ] as const) {
    test(`the service starts and stops even if its connection stalls during ${what}`, async () => {
      await using database = await postgres.create();
      assert.ok(database.location.kind === 'postgres');
      await using proxy = await startDatabaseProxy(database.location.url);
      const blackholed = proxy.blackhole(text);
      await using service = startService({ ...database.environment, DATABASE_URL: proxy.url });
      await service.url();
      await blackholed;
      assert.match(service.stderr.join('\n'), /Until it does, leads go to the spool \S+/);
      service.child.kill('SIGTERM');
      assert.deepEqual(await service.exit, { code: 0, signal: null });
    });
  }

  test('leads leave the spool even if the first new connection stalls', async () => {
    await using shared = await openSharedStores();
    shared.proxy.setMode('refusing');
    assert.equal((await shared.stores.leads.add(acceptedLead('Meanwhile.', 'a'))).kind, 'spooled');
    const blackholed = shared.proxy.blackhole(schemaCheck);
    shared.proxy.setMode('pass');
    await blackholed;
    await shared.emptied();
    assert.deepEqual(await shared.messages(), ['Meanwhile.']);
  });

  test('the pool does not reuse a connection after a lead got no response', async () => {
    await using shared = await openSharedStores();
    assert.equal((await shared.stores.leads.add(acceptedLead('Before.', 'a'))).kind, 'stored');
    const blackholed = shared.proxy.blackhole('insert into leads');
    assert.equal((await shared.stores.leads.add(acceptedLead('Into silence.', 'b'))).kind, 'spooled');
    await blackholed;
    const { db } = shared.stores.database;
    await db.updateTable('leads').set({ status: 'won' }).execute();
    await until(async () => (await shared.messages()).length >= 2);
  });

  test('the pool does not reuse a connection after a query got no response', async () => {
    await using shared = await openSharedStores();
    const { db } = shared.stores.database;
    const blackholed = shared.proxy.blackhole('erasures');
    await assert.rejects(db.selectFrom('erasures').selectAll().execute());
    await blackholed;
    assert.deepEqual(await db.selectFrom('erasures').selectAll().execute(), []);
  });

  test('migrate: times out while another service migrates, which counts as unavailable', async () => {
    await using database = await postgres.create();
    assert.ok(database.location.kind === 'postgres');
    const access = accessDatabase(database.location, createMemoryLog());
    const other = new Client({ connectionString: database.location.url });
    await other.connect();
    await other.query('select pg_advisory_lock(3853314791062309107)');
    await assert.rejects(
      migrate(access, migrations, 500),
      (error) =>
        access.unavailability(error) ===
        'its schema could not be migrated in time, another service may be migrating it',
    );
    await other.end();
    await migrate(access);
  });

  test('migrate: a current schema needs no lock while another service migrates', async () => {
    await using database = await postgres.create();
    assert.ok(database.location.kind === 'postgres');
    const access = accessDatabase(database.location, createMemoryLog());
    await migrate(access);
    const other = new Client({ connectionString: database.location.url });
    await other.connect();
    await other.query('select pg_advisory_lock(3853314791062309107)');
    await migrate(access, migrations, 500);
    await other.end();
  });
});
