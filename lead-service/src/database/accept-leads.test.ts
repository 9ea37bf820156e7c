import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createMemoryLog } from '../testing/memory-log.ts';
import { acceptedLead } from '../testing/store-lead.ts';
import { databaseKinds, postgres, type TestDatabase } from '../testing/test-databases.ts';
import { acceptLeads } from './accept-leads.ts';
import { openDatabase, type Database } from './database.ts';

interface OpenDatabase extends Database, AsyncDisposable {}

async function open({ location }: TestDatabase): Promise<OpenDatabase> {
  const database = await openDatabase(location, createMemoryLog());
  return { ...database, [Symbol.asyncDispose]: () => database.close() };
}

async function countOf({ db }: Database, table: 'leads' | 'outbox' | 'idempotencyRecords'): Promise<number> {
  return (await db.selectFrom(table).selectAll().execute()).length;
}

for (const kind of databaseKinds) {
  describe(`acceptLeads on ${kind.name}`, kind.options, () => {
    test('stores equal leads once, within a group and across groups', async () => {
      await using database = await kind.create();
      await using store = await open(database);
      const [first, second, later] = ['key', 'key', 'key'].map((key) => acceptedLead('The same text.', key));
      assert.ok(first && second && later);

      const repeated = { kind: 'repeated', leadId: first.lead.id, answerStatus: 201 };
      assert.deepEqual(await acceptLeads(store, [first, second]), [{ kind: 'stored' }, repeated]);
      assert.deepEqual(await acceptLeads(store, [later]), [repeated]);
      assert.equal(await countOf(store, 'leads'), 1);
      assert.equal(await countOf(store, 'outbox'), first.outbox.length);
    });

    test('stores no lead twice when a group with a stored lead is retried', async () => {
      await using database = await kind.create();
      await using store = await open(database);
      const [first, second] = ['One text.', 'Another text.'].map((text) => acceptedLead(text, text));
      assert.ok(first && second);
      await acceptLeads(store, [first]);
      assert.deepEqual(await acceptLeads(store, [second, first]), [
        { kind: 'stored' },
        { kind: 'repeated', leadId: first.lead.id, answerStatus: 201 },
      ]);
      assert.equal(await countOf(store, 'leads'), 2);
      assert.equal(await countOf(store, 'outbox'), first.outbox.length + second.outbox.length);
    });

    test('rejects a different lead under a used key', async () => {
      await using database = await kind.create();
      await using store = await open(database);
      const group = [
        acceptedLead('One text.', 'key'),
        acceptedLead('Another text.', 'key'),
        acceptedLead('A third text.', 'own key'),
      ];
      assert.deepEqual(
        (await acceptLeads(store, group)).map((outcome) => outcome.kind),
        ['stored', 'key-reused', 'stored'],
      );
      assert.equal(await countOf(store, 'leads'), 2);
    });

    test('accepts a key again once it has expired', async () => {
      await using database = await kind.create();
      await using store = await open(database);
      const old = acceptedLead('An old text.', 'key');
      const expired = { ...old.idempotency, expiresAt: old.idempotency.createdAt };
      await acceptLeads(store, [{ ...old, idempotency: expired }]);

      const fresh = acceptedLead('A new text.', 'key');
      assert.deepEqual(await acceptLeads(store, [fresh]), [{ kind: 'stored' }]);
      assert.equal(await countOf(store, 'leads'), 2);
      const records = await store.db.selectFrom('idempotencyRecords').select('leadId').execute();
      assert.deepEqual(records, [{ leadId: fresh.lead.id }]);
    });

    test('stores a group with all its rows, or nothing', async () => {
      await using database = await kind.create();
      await using store = await open(database);
      const good = acceptedLead('A good text.', 'good');
      const bad = { ...acceptedLead('A bad text.', 'bad'), outbox: good.outbox };

      await assert.rejects(acceptLeads(store, [good, bad]), /unique/i);

      for (const table of ['leads', 'outbox', 'idempotencyRecords'] as const) {
        assert.equal(await countOf(store, table), 0);
      }
    });
  });
}

test(
  'acceptLeads: two instances store equal leads once, without a deadlock, in opposite orders',
  postgres.options,
  async () => {
    await using database = await postgres.create();
    await using first = await open(database);
    await using second = await open(database);
    const numbers = Array.from({ length: 100 }, (_, number) => number);
    const stored: string[] = [];

    for (let round = 0; round < 10; round += 1) {
      const group = () => numbers.map((number) => acceptedLead(`Text ${number}.`, `${round} ${number}`));
      const outcomes = await Promise.all([
        acceptLeads(first, group()),
        acceptLeads(second, group().reverse()),
      ]);
      stored.push(...outcomes.flat().map((outcome) => outcome.kind));
    }

    assert.equal(stored.filter((outcome) => outcome === 'stored').length, 1000);
    assert.equal(stored.filter((outcome) => outcome === 'repeated').length, 1000);
    assert.equal(await countOf(first, 'leads'), 1000);
  },
);
