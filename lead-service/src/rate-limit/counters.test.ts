import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCounter, maxKeys, removedKeys } from './counters.ts';

test('counter in memory: adds within a window and starts again after it', (t) => {
  let time = 1_000;
  t.mock.method(performance, 'now', () => time);
  const counter = createCounter(1);
  assert.deepEqual(counter.add('a'), { points: 1, secondsLeft: 1 });
  assert.deepEqual(counter.add('a', 2), { points: 3, secondsLeft: 1 });
  assert.deepEqual([counter.read('a'), counter.read('b')], [3, 0]);
  time += 999;
  assert.equal(counter.read('a'), 3);
  time += 1;
  assert.equal(counter.read('a'), 0);
  assert.deepEqual(counter.add('a'), { points: 1, secondsLeft: 1 });
});

test('counter in memory: a key beyond the maximum replaces the oldest ones', () => {
  const counter = createCounter(600);
  for (let key = 0; key <= maxKeys; key += 1) counter.add(String(key));
  const counts = [0, removedKeys - 1, removedKeys, maxKeys].map((key) => counter.read(String(key)));
  assert.deepEqual(counts, [0, 0, 1, 1]);
});
