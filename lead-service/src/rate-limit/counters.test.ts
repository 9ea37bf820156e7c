import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxKeys, openOwnCounter, removedKeys } from './counters.ts';

test('counter in memory: adds within a window and starts again after it', async (t) => {
  let time = 1_000;
  t.mock.method(performance, 'now', () => time);
  const counter = openOwnCounter('test', 1);
  assert.deepEqual(await counter.add('a'), { points: 1, secondsLeft: 1 });
  assert.deepEqual(await counter.add('a', 2), { points: 3, secondsLeft: 1 });
  assert.deepEqual([await counter.read('a'), await counter.read('b')], [3, 0]);
  time += 999;
  assert.equal(await counter.read('a'), 3);
  time += 1;
  assert.equal(await counter.read('a'), 0);
  assert.deepEqual(await counter.add('a'), { points: 1, secondsLeft: 1 });
});

test('counter in memory: a key beyond the maximum replaces the oldest ones', async () => {
  const counter = openOwnCounter('test', 600);
  for (let key = 0; key <= maxKeys; key += 1) await counter.add(String(key));
  const counts = await Promise.all(
    [0, removedKeys - 1, removedKeys, maxKeys].map((key) => counter.read(String(key))),
  );
  assert.deepEqual(counts, [0, 0, 1, 1]);
});
