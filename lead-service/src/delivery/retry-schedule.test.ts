import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryDelay, retryDelays } from './retry-schedule.ts';

test('retry schedule: jitter separates simultaneous retries, but each delay exceeds the previous one', () => {
  assert.deepEqual([retryDelay(1, 0), retryDelay(1, 0.5), retryDelay(1, 1)], [25_500, 30_000, 34_500]);
  for (let attempts = 2; attempts <= retryDelays.length; attempts += 1) {
    assert.ok((retryDelay(attempts, 0) ?? 0) > (retryDelay(attempts - 1, 1) ?? Infinity));
  }
});

test('retry schedule: the delays add up to two days and then end', () => {
  const hours = retryDelays.reduce((sum, delay) => sum + delay) / 3_600_000;
  assert.ok(hours > 47 && hours <= 48, `${hours} hours`);
  assert.equal(retryDelay(retryDelays.length + 1, 0.5), undefined);
});
