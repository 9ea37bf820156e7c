import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { addressHash } from '../database/erasures.ts';
import { openSharedStores, type SharedStores } from '../testing/shared-stores.ts';
import { leadToStore, classifiedLead } from '../testing/store-lead.ts';
import { postgres, urlOf } from '../testing/test-databases.ts';

const texts = Array.from({ length: 30 }, (_, number) => `Sent during the outage: ${number}.`);

/** Sends leads one at a time. Returns the outcome of each. */
async function send({ stores }: SharedStores, messages: readonly string[]): Promise<string[]> {
  const kinds: string[] = [];
  for (const message of messages) {
    kinds.push((await stores.leads.add(classifiedLead(message, message))).kind);
  }
  return kinds;
}

/** Expects every delivery of every lead exactly once. */
async function expectOneOutboxSet({ stores }: SharedStores, leads: number): Promise<void> {
  const rows = await stores.database.db.selectFrom('outbox').select('leadId').execute();
  assert.equal(new Set(rows.map(({ leadId }) => leadId)).size, leads);
  assert.equal(rows.length, leads);
}

// Concurrent, because these tests mostly wait.
describe('spool while PostgreSQL is unavailable', { ...postgres.options, concurrency: true }, () => {
  test('spooled leads move once and in order, and later leads are stored directly', async () => {
    await using shared = await openSharedStores();
    assert.deepEqual(await send(shared, ['Sent before.']), ['stored']);
    shared.proxy.setMode('refusing');
    assert.deepEqual(new Set(await send(shared, texts)), new Set(['spooled']));
    assert.deepEqual(await shared.messages(), ['Sent before.']);

    shared.proxy.setMode('pass');
    await shared.emptied();

    assert.deepEqual(await send(shared, ['Sent afterwards.']), ['stored']);
    assert.deepEqual(await shared.messages(), ['Sent before.', ...texts, 'Sent afterwards.']);
    await expectOneOutboxSet(shared, texts.length + 2);
  });

  test('spooled leads move after a restart, during or after the outage', async () => {
    await using shared = await openSharedStores();
    shared.proxy.setMode('refusing');
    await send(shared, texts.slice(0, 10));
    await shared.restart();
    await send(shared, texts.slice(10));
    shared.proxy.setMode('pass');
    await shared.restart();
    await shared.emptied();
    assert.deepEqual(await shared.messages(), texts);
    await expectOneOutboxSet(shared, texts.length);
  });

  test('a service starts without the database, and fills it once it is available', async () => {
    await using shared = await openSharedStores('refusing');
    assert.deepEqual(new Set(await send(shared, texts)), new Set(['spooled']));
    shared.proxy.setMode('pass');
    await shared.emptied();
    assert.deepEqual(await shared.messages(), texts);
  });

  for (const when of ['before', 'after'] as const) {
    test(`a lead is stored once if the connection breaks ${when} its commit`, async () => {
      await using shared = await openSharedStores();
      await send(shared, ['Sent before.']);
      const broken = shared.proxy.cut(when, 'insert into leads');
      assert.deepEqual(await send(shared, ['Sent into the break.']), ['spooled']);
      await broken;
      await shared.emptied();
      assert.deepEqual(await shared.messages(), ['Sent before.', 'Sent into the break.']);
      await expectOneOutboxSet(shared, 2);
    });

    test(`leads move once if the connection breaks ${when} the commit of the move`, async () => {
      await using shared = await openSharedStores();
      shared.proxy.setMode('refusing');
      await send(shared, texts);
      const broken = shared.proxy.cut(when, 'insert into leads', 'commit');
      shared.proxy.setMode('pass');
      await broken;
      await shared.emptied();
      assert.deepEqual(await shared.messages(), texts);
      await expectOneOutboxSet(shared, texts.length);
    });
  }

  test('a repeated lead stays one, and a different lead under its key is kept', async () => {
    await using shared = await openSharedStores();
    const { leads } = shared.stores;
    assert.equal((await leads.add(classifiedLead('Sent twice.', 'key'))).kind, 'stored');
    shared.proxy.setMode('refusing');
    assert.equal((await leads.add(classifiedLead('Sent twice.', 'key'))).kind, 'spooled');
    assert.equal((await leads.add(classifiedLead('Sent twice.', 'key'))).kind, 'repeated');
    assert.equal((await leads.add(classifiedLead('Once.', 'used'))).kind, 'spooled');
    await shared.database.execute(claimStatement(leadToStore('Something else.', 'used').idempotency.key));
    shared.proxy.setMode('pass');
    await shared.emptied();
    assert.deepEqual(await shared.messages(), ['Sent twice.', 'Once.']);
    await expectOneOutboxSet(shared, 2);
  });

  test('a spooled lead of an erased person is not stored', async () => {
    await using shared = await openSharedStores();
    shared.proxy.setMode('refusing');
    await shared.stores.leads.add(classifiedLead('From Ada.', 'one', 'Ada@example.com'));
    await shared.stores.leads.add(classifiedLead('From another person.', 'two', 'else@example.com'));
    const erasedAt = new Date(Date.now() + 1).toISOString();
    await shared.database.execute(
      `insert into erasures (address_hash, erased_at) values ('${addressHash('ada@example.com')}', '${erasedAt}')`,
    );
    shared.proxy.setMode('pass');
    await shared.emptied();
    assert.deepEqual(await shared.messages(), ['From another person.']);
    await expectOneOutboxSet(shared, 1);
  });

  test('a lead is refused while the spool is locked, and accepted afterwards', async () => {
    await using shared = await openSharedStores();
    shared.proxy.setMode('refusing');
    const other = new DatabaseSync(join(shared.database.dataDirectory, 'spool.sqlite'));
    other.exec('begin immediate');
    assert.deepEqual(await send(shared, ['Refused.']), ['unavailable']);
    other.close();
    assert.deepEqual(await send(shared, ['Kept.']), ['spooled']);
    shared.proxy.setMode('pass');
    await shared.emptied();
    assert.deepEqual(await shared.messages(), ['Kept.']);
  });

  test('leads go to the spool when the database refuses the login', async () => {
    await using database = await postgres.create();
    const role = `service_${randomUUID().replaceAll('-', '')}`;
    await database.execute(`create role ${role} login; grant all on schema public to ${role}`);
    const url = urlOf(database);
    url.username = role;
    const location = { kind: 'postgres', url: url.href } as const;
    const shared = await openSharedStores('pass', { ...database, location });
    try {
      await send(shared, ['Sent before.']);
      await database.execute(`alter role ${role} nologin`);
      // Closes the open connections, because PostgreSQL rejects only new logins.
      shared.proxy.setMode('refusing');
      shared.proxy.setMode('pass');
      assert.deepEqual(await send(shared, ['Sent to a closed door.']), ['spooled']);
      await database.execute(`alter role ${role} login`);
      await shared.emptied();
      assert.deepEqual(await shared.messages(), ['Sent before.', 'Sent to a closed door.']);
    } finally {
      await shared[Symbol.asyncDispose]();
      await database.execute(
        `reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`,
      );
    }
  });

  test('leads go to the spool when the connection stalls', async () => {
    await using shared = await openSharedStores();
    await send(shared, ['Sent before.']);
    shared.proxy.setMode('silent');
    assert.deepEqual(await send(shared, ['Sent into the silence.']), ['spooled']);
    shared.proxy.setMode('pass');
    await shared.emptied();
    assert.deepEqual(await shared.messages(), ['Sent before.', 'Sent into the silence.']);
  });
});

/** SQL that claims an idempotency key for another lead. */
function claimStatement(key: string): string {
  return `insert into idempotency_records (key, fingerprint, lead_id, answer_status, created_at, expires_at)
    values ('${key}', 'other', 'other', 201, '2026-01-01T00:00:00.000Z', '9999-01-01T00:00:00.000Z')`;
}
