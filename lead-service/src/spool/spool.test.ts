import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { addressHash } from '../address-hash.ts';
import { acceptedLead } from '../testing/accepted-lead.ts';
import { openSharedStores, type SharedStores } from '../testing/shared-stores.ts';
import { databaseKinds, type TestDatabase } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';

const texts = Array.from({ length: 30 }, (_, number) => `Sent while it was away: ${number}.`);

/** Sends one lead after the other. Returns how each was accepted. */
async function send({ stores }: SharedStores, messages: readonly string[]): Promise<string[]> {
  const kinds: string[] = [];
  for (const message of messages) {
    kinds.push((await stores.leads.add(acceptedLead(message, message))).kind);
  }
  return kinds;
}

async function spoolIsEmpty({ stores }: SharedStores): Promise<boolean> {
  return (await stores.leads.spoolDepth()) === 0;
}

/** Every delivery of every lead, once. */
async function expectOneOutboxSet({ stores }: SharedStores, leads: number): Promise<void> {
  const rows = await stores.database.db.selectFrom('outbox').select(['leadId', 'kind']).execute();
  assert.equal(new Set(rows.map(({ leadId, kind }) => `${leadId} ${kind}`)).size, leads * 2);
  assert.equal(rows.length, leads * 2);
}

function describeAway(create: () => Promise<TestDatabase>): void {
  test('leads move over once and in order when it is back, and then go there directly', async () => {
    await using database = await create();
    await using shared = await openSharedStores(database);
    assert.deepEqual(await send(shared, ['Sent before.']), ['stored']);
    shared.proxy.become('refusing');
    assert.deepEqual(new Set(await send(shared, texts)), new Set(['spooled']));
    assert.deepEqual(await shared.messages(), ['Sent before.']);

    shared.proxy.become('through');
    await until(() => spoolIsEmpty(shared));

    assert.deepEqual(await send(shared, ['Sent afterwards.']), ['stored']);
    assert.deepEqual(await shared.messages(), ['Sent before.', ...texts, 'Sent afterwards.']);
    await expectOneOutboxSet(shared, texts.length + 2);
  });

  test('leads move over after a restart, whether it is back by then or comes back later', async () => {
    await using database = await create();
    await using shared = await openSharedStores(database);
    shared.proxy.become('refusing');
    await send(shared, texts.slice(0, 10));
    await shared.restart();
    await send(shared, texts.slice(10));
    shared.proxy.become('through');
    await shared.restart();
    await until(() => spoolIsEmpty(shared));
    assert.deepEqual(await shared.messages(), texts);
    await expectOneOutboxSet(shared, texts.length);
  });

  test('a spool that was removed keeps no lead from the database when that is back', async () => {
    await using database = await create();
    await using shared = await openSharedStores(database);
    shared.proxy.become('refusing');
    assert.deepEqual(await send(shared, ['Sent before.']), ['spooled']);
    rmSync(join(database.dataDirectory, 'spool.sqlite'));
    assert.deepEqual(await send(shared, ['Sent afterwards.']), ['unavailable']);
    shared.proxy.become('through');
    await until(async () => (await send(shared, ['Sent once more.']))[0] === 'stored');
    assert.deepEqual(await shared.messages(), ['Sent once more.']);
  });

  test('a service starts although it has never been there, and fills it when it comes', async () => {
    await using database = await create();
    await using shared = await openSharedStores(database, 'refusing');
    assert.deepEqual(new Set(await send(shared, texts)), new Set(['spooled']));
    shared.proxy.become('through');
    await until(() => spoolIsEmpty(shared));
    assert.deepEqual(await shared.messages(), texts);
  });

  for (const when of ['before', 'after'] as const) {
    test(`a lead is stored once if the line breaks ${when} its commit`, async () => {
      await using database = await create();
      await using shared = await openSharedStores(database);
      await send(shared, ['Sent before.']);
      const broken = shared.proxy.cut(when, 'insert into leads');
      assert.deepEqual(await send(shared, ['Sent into the break.']), ['spooled']);
      await broken;
      await until(() => spoolIsEmpty(shared));
      assert.deepEqual(await shared.messages(), ['Sent before.', 'Sent into the break.']);
      await expectOneOutboxSet(shared, 2);
    });

    test(`leads move over once if the line breaks ${when} the commit of the move`, async () => {
      await using database = await create();
      await using shared = await openSharedStores(database);
      shared.proxy.become('refusing');
      await send(shared, texts);
      const broken = shared.proxy.cut(when, 'insert into leads', 'commit');
      shared.proxy.become('through');
      await broken;
      await until(() => spoolIsEmpty(shared));
      assert.deepEqual(await shared.messages(), texts);
      await expectOneOutboxSet(shared, texts.length);
    });
  }

  test('a lead that is sent again while it is away stays one, and another under its key is kept as well', async () => {
    await using database = await create();
    await using shared = await openSharedStores(database);
    const { leads } = shared.stores;
    assert.equal((await leads.add(acceptedLead('Sent twice.', 'key'))).kind, 'stored');
    shared.proxy.become('refusing');
    assert.equal((await leads.add(acceptedLead('Sent twice.', 'key'))).kind, 'spooled');
    assert.equal((await leads.add(acceptedLead('Sent twice.', 'key'))).kind, 'repeated');
    assert.equal((await leads.add(acceptedLead('Once.', 'used'))).kind, 'spooled');
    await database.execute(keyIsTaken(acceptedLead('Something else.', 'used').idempotency.key));
    shared.proxy.become('through');
    await until(() => spoolIsEmpty(shared));
    assert.deepEqual(await shared.messages(), ['Sent twice.', 'Once.']);
    await expectOneOutboxSet(shared, 2);
  });

  test('a person whose data is erased while the lead waits does not come back', async () => {
    await using database = await create();
    await using shared = await openSharedStores(database);
    shared.proxy.become('refusing');
    await shared.stores.leads.add(acceptedLead('From Ada.', 'one', 'Ada@example.com'));
    await shared.stores.leads.add(acceptedLead('From somebody else.', 'two', 'else@example.com'));
    const erasedAt = new Date(Date.now() + 1).toISOString();
    await database.execute(
      `insert into erasures (address_hash, erased_at) values ('${addressHash('ada@example.com')}', '${erasedAt}')`,
    );
    shared.proxy.become('through');
    await until(() => spoolIsEmpty(shared));
    assert.deepEqual(await shared.messages(), ['From somebody else.']);
    await expectOneOutboxSet(shared, 1);
  });

  test('a lead is refused when the spool cannot take it either, and kept again afterwards', async () => {
    await using database = await create();
    await using shared = await openSharedStores(database);
    shared.proxy.become('refusing');
    const other = new SqliteDatabase(join(database.dataDirectory, 'spool.sqlite'));
    other.exec('begin immediate');
    assert.deepEqual(await send(shared, ['Refused.']), ['unavailable']);
    other.close();
    assert.deepEqual(await send(shared, ['Kept.']), ['spooled']);
    shared.proxy.become('through');
    await until(() => spoolIsEmpty(shared));
    assert.deepEqual(await shared.messages(), ['Kept.']);
  });

  test('leads go to the spool when it no longer lets the service in', async () => {
    await using database = await create();
    assert.ok(database.location.kind === 'postgres');
    const role = `service_${randomUUID().replaceAll('-', '')}`;
    await database.execute(`create role ${role} login; grant all on schema public to ${role}`);
    const url = new URL(database.location.url);
    url.username = role;
    const shared = await openSharedStores({ ...database, location: { kind: 'postgres', url: url.href } });
    try {
      await send(shared, ['Sent before.']);
      await database.execute(`alter role ${role} nologin`);
      shared.proxy.become('refusing');
      shared.proxy.become('through');
      assert.deepEqual(await send(shared, ['Sent to a closed door.']), ['spooled']);
      await database.execute(`alter role ${role} login`);
      await until(() => spoolIsEmpty(shared));
      assert.deepEqual(await shared.messages(), ['Sent before.', 'Sent to a closed door.']);
    } finally {
      await shared[Symbol.asyncDispose]();
      await database.execute(
        `reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`,
      );
    }
  });

  test('leads go to the spool when it says nothing any more', async () => {
    await using database = await create();
    await using shared = await openSharedStores(database);
    await send(shared, ['Sent before.']);
    shared.proxy.become('silent');
    assert.deepEqual(await send(shared, ['Sent into the silence.']), ['spooled']);
    shared.proxy.become('through');
    await until(() => spoolIsEmpty(shared));
    assert.deepEqual(await shared.messages(), ['Sent before.', 'Sent into the silence.']);
  });
}

for (const kind of databaseKinds.filter(({ name }) => name === 'PostgreSQL')) {
  // All at once: they mostly wait.
  describe('while PostgreSQL is away', { concurrency: true }, () => describeAway(kind.create));
}

function keyIsTaken(key: string): string {
  return `insert into idempotency_records (key, fingerprint, lead_id, answer_status, created_at, expires_at)
    values ('${key}', 'other', 'other', 201, '2026-01-01T00:00:00.000Z', '9999-01-01T00:00:00.000Z')`;
}
