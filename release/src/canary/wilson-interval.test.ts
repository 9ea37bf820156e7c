import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wilsonInterval } from './wilson-interval.ts';

for (const [failures, views, low, high] of [
  [0, 10, 0, 0.2775],
  [1, 10, 0.0179, 0.4042],
  [18, 202, 0.0571, 0.1364],
  [10, 10, 0.7225, 1],
] as const) {
  test(`wilson interval: ${failures} of ${views} views`, () => {
    const interval = wilsonInterval({ views, failures });
    assert.deepEqual(
      [interval?.rate, interval?.low, interval?.high].map((share) => share?.toFixed(4)),
      [failures / views, low, high].map((share) => share.toFixed(4)),
    );
  });
}

test('wilson interval: there is none without views', () => {
  assert.equal(wilsonInterval({ views: 0, failures: 0 }), undefined);
});
