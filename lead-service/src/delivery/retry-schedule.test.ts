import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { retryDelay, retryDelays } from './retry-schedule.ts';

const attempts = retryDelays.map((_delay, index) => index + 1);

test('every wait is longer than the one before, however the dice fall', () => {
  const random = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(random, random, (before, after) => {
      for (const attempt of attempts.slice(1)) {
        assert.ok((retryDelay(attempt, after) ?? 0) > (retryDelay(attempt - 1, before) ?? Infinity));
      }
    }),
  );
});

test('the waits add up to two days, and after the last of them there is no other', () => {
  const hours = retryDelays.reduce((sum, delay) => sum + delay) / 3_600_000;
  assert.ok(hours > 47 && hours <= 48, `${hours} hours`);
  assert.equal(retryDelay(retryDelays.length + 1, 0.5), undefined);
});

test('two deliveries that fail together are not tried again together', () => {
  assert.deepEqual([retryDelay(1, 0), retryDelay(1, 0.5), retryDelay(1, 1)], [25_500, 30_000, 34_500]);
});
