import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { retryDelay, retryDelays } from './retry-schedule.ts';

const attempts = retryDelays.map((_delay, index) => index + 1);

test('retry schedule: each delay exceeds the previous one for any jitter', () => {
  const random = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(random, random, (before, after) => {
      for (const attempt of attempts.slice(1)) {
        assert.ok((retryDelay(attempt, after) ?? 0) > (retryDelay(attempt - 1, before) ?? Infinity));
      }
    }),
  );
});

test('retry schedule: the delays add up to two days and then end', () => {
  const hours = retryDelays.reduce((sum, delay) => sum + delay) / 3_600_000;
  assert.ok(hours > 47 && hours <= 48, `${hours} hours`);
  assert.equal(retryDelay(retryDelays.length + 1, 0.5), undefined);
});

test('retry schedule: jitter separates the retries of simultaneous failures', () => {
  assert.deepEqual([retryDelay(1, 0), retryDelay(1, 0.5), retryDelay(1, 1)], [25_500, 30_000, 34_500]);
});
