import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryLog } from '../testing/memory-log.ts';
import { leadToStore } from '../testing/store-lead.ts';
import { onEachDatabase, postgres, type TestDatabase } from '../testing/test-databases.ts';
import { insertLeads } from './insert-leads.ts';
import { connect } from './database.ts';
import type { Tables } from './tables.ts';

async function countOf(store: TestDatabase, table: keyof Tables): Promise<number> {
  return (await store.rows(table)).length;
}

onEachDatabase('insertLeads', (test) => {
  test('accepts a key again once it has expired', async (store) => {
    const old = leadToStore('An old text.', 'key');
    const expired = { ...old.idempotency, expiresAt: old.idempotency.createdAt };
    await insertLeads(store, [{ ...old, idempotency: expired }]);

    const fresh = leadToStore('A new text.', 'key');
    assert.deepEqual(await insertLeads(store, [fresh]), [{ kind: 'stored' }]);
    assert.equal(await countOf(store, 'leads'), 2);
    const records = (await store.rows('idempotencyRecords')).map(({ leadId }) => leadId);
    assert.deepEqual(records, [fresh.lead.id]);
  });

  test('tells leads of a group apart, also after the clock was set back by days', async (store) => {
    const ahead = leadToStore('Sent twice.', 'key');
    const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60_000).toISOString();
    const record = { ...ahead.idempotency, createdAt: inDays(2), expiresAt: inDays(3) };
    await insertLeads(store, [{ ...ahead, idempotency: record }]);
    const group = ['Sent twice.', 'Another text.'].map((text) => leadToStore(text, 'key'));
    assert.deepEqual(await insertLeads(store, [...group, leadToStore('A third text.', 'own key')]), [
      { kind: 'repeated', leadId: ahead.lead.id, answerStatus: 201, isLater: true },
      { kind: 'key-reused' },
      { kind: 'stored' },
    ]);
  });

  test('stores nothing of a group if one row is refused', async (store) => {
    const good = leadToStore('A good text.', 'good');
    // Its outbox rows have the ids of the first lead's.
    const bad = { ...leadToStore('A bad text.', 'bad'), outbox: good.outbox };

    await assert.rejects(insertLeads(store, [good, bad]), /unique/i);

    for (const table of ['leads', 'outbox', 'idempotencyRecords'] as const) {
      assert.equal(await countOf(store, table), 0);
    }
  });
});

test(
  'insertLeads: two instances store equal leads once, without a deadlock, in opposite orders',
  postgres.options,
  async () => {
    await using first = await postgres.open();
    await using second = connect(first.location, createMemoryLog());
    const numbers = Array.from({ length: 100 }, (_, number) => number);
    const stored: string[] = [];

    for (let round = 0; round < 10; round += 1) {
      const group = () => numbers.map((number) => leadToStore(`Text ${number}.`, `${round} ${number}`));
      const outcomes = await Promise.all([
        insertLeads(first, group()),
        insertLeads(second, group().reverse()),
      ]);
      stored.push(...outcomes.flat().map((outcome) => outcome.kind));
    }

    assert.equal(stored.filter((outcome) => outcome === 'stored').length, 1000);
    assert.equal(stored.filter((outcome) => outcome === 'repeated').length, 1000);
    assert.equal(await countOf(first, 'leads'), 1000);
  },
);
