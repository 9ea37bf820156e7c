import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startDatabaseProxy } from '../testing/database-proxy.ts';
import { hostService } from '../testing/hosted-service.ts';
import { createMemoryLog } from '../testing/memory-log.ts';
import { statusOfLead } from '../testing/send-lead.ts';
import { postgres, urlOf, type TestDatabase } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';
import { createCounters } from './counters.ts';

const unique = () => ({ message: crypto.randomUUID() });

/** Starts an instance with a data directory of its own. */
function startInstance(database: TestDatabase, name: string, settings: Record<string, string> = {}) {
  return hostService(database, { ...settings, DATA_DIR: join(database.dataDirectory, name) });
}

function openCounters(database: TestDatabase) {
  return createCounters(database, Buffer.from('key'), createMemoryLog());
}

describe('two instances on one database', postgres.options, () => {
  test('accept the quota of an address together, not each', async () => {
    await using database = await postgres.open();
    const settings = { LEADS_PER_ADDRESS: '4' };
    await using one = await startInstance(database, 'one', settings);
    await using other = await startInstance(database, 'other', settings);
    const statuses = [];
    for (const instance of [one, other, one, one, other, one]) {
      statuses.push(await statusOfLead(instance, unique()));
    }
    assert.deepEqual(statuses, [201, 201, 201, 201, 429, 429]);
    assert.equal((await database.leads()).length, 4);
    // Addresses are personal data.
    const keys = (await database.rows('counters')).map(({ key }) => key);
    assert.equal(keys.length, 2);
    assert.doesNotMatch(keys.join('\n'), /127|\./);
  });

  for (const mode of ['refusing', 'silent'] as const) {
    test(`count on alone while the database is ${mode}, and lose no lead`, async () => {
      await using database = await postgres.open();
      await using proxy = await startDatabaseProxy(urlOf(database));
      const settings = { LEADS_PER_ADDRESS: '2', DATABASE_URL: proxy.url };
      await using one = await startInstance(database, 'one', settings);
      const sendThree = async () => {
        const statuses = [];
        for (let number = 0; number < 3; number += 1) statuses.push(await statusOfLead(one, unique()));
        return statuses;
      };
      assert.equal(await statusOfLead(one, unique()), 201);
      proxy.setMode(mode);
      assert.deepEqual(await sendThree(), [202, 429, 429]);
      proxy.setMode('pass');
      await one.line('quotas count for all instances together again');
      await one.line('leads go to the database again');
      assert.deepEqual(await sendThree(), [201, 429, 429]);
      assert.equal((await database.leads()).length, 3);
    });
  }
});

describe('shared counters', postgres.options, () => {
  test('give each of several counts at the same time its own points', async () => {
    await using database = await postgres.open();
    await using one = openCounters(database);
    await using other = openCounters(database);
    const counters = [one, other].map((each) => each.open('leads', 600));
    const keys = Array.from({ length: 20 }, (_, index) => (index < 15 ? 'a' : 'b'));
    const counts = await Promise.all(keys.flatMap((key) => counters.map((counter) => counter.add(key))));
    for (const [first, sent] of [
      [0, 30],
      [30, 10],
    ] as const) {
      const points = counts.slice(first, first + sent).map((count) => count.points);
      const expected = Array.from({ length: sent }, (_, index) => index + 1);
      assert.deepEqual(new Set(points), new Set(expected));
    }
    assert.ok(counts.every((count) => count.secondsLeft > 590 && count.secondsLeft <= 600));
  });

  test('write harmless counts with the next harmful one, or at the end', async () => {
    await using database = await postgres.open();
    const one = openCounters(database);
    await using other = openCounters(database);
    const [counter, sameKeys] = [one.open('leads', 600), other.open('leads', 600)];
    const add = async (harmless: number) => (await counter.add('a', harmless)).points;
    assert.deepEqual([await add(4), await add(4), await add(4)], [1, 2, 3]);
    assert.equal((await sameKeys.add('a')).points, 2);
    assert.equal(await add(0), 5);
    assert.equal(await add(9), 6);
    await one[Symbol.asyncDispose]();
    assert.equal((await sameKeys.add('a')).points, 7);
  });

  test('count distinct values once, and begin again when the window has ended', async () => {
    await using database = await postgres.open();
    await using shared = openCounters(database);
    const counter = shared.open('messages', 600);
    const add = async (...values: readonly string[]) => {
      const counts = [];
      for (const value of values) counts.push((await counter.addDistinct('text', value)).points);
      return counts;
    };
    assert.deepEqual(await add('one', 'one', 'two', 'one', 'three'), [1, 1, 2, 2, 3]);
    await Promise.all(['four', 'four', 'five'].map((value) => counter.addDistinct('text', value)));
    assert.deepEqual(await add('five'), [5]);
    await database.db.updateTable('counters').set({ endsAt: '2026-01-01T00:00:00.000Z' }).execute();
    assert.deepEqual(await add('one', 'six'), [1, 2]);
  });

  test('count a value with the first of two instances that add it at the same time', async () => {
    await using database = await postgres.open();
    await using one = openCounters(database);
    await using other = openCounters(database);
    const counters = [one, other].map((each) => each.open('messages', 600));
    for (let number = 1; number <= 30; number += 1) {
      const added = counters.map((counter) => counter.addDistinct('text', `value ${number}`));
      const points = (await Promise.all(added)).map((count) => count.points);
      assert.deepEqual(points, [number, number]);
    }
  });

  test('forget windows that have ended, and those of a clock that was years ahead', async () => {
    await using database = await postgres.open();
    const endsAt = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    const ends = { ended: endsAt(-1), current: endsAt(10), ahead: endsAt(1_000_000) };
    const rows = Object.entries(ends).map(([key, end]) => ({ key, points: 9, endsAt: end }));
    await database.db.insertInto('counters').values(rows).execute();
    const shared = openCounters(database);
    await until(async () => (await database.rows('counters')).length < 3);
    assert.deepEqual(
      (await database.rows('counters')).map(({ key }) => key),
      ['current'],
    );
    await shared[Symbol.asyncDispose]();
  });
});
