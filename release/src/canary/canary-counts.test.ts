import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CanaryCounts } from './canary-counts.ts';

const snapshot = { version: '1.1.0', percent: 10, live: '1.0.0' };

/** Each hung view has a network of its own. */
const metrics = (begun: number, settled: number) =>
  Object.entries({ begun, settled, hung_networks: begun - settled })
    .map(
      ([name, value]) => `site_part_${name}_total{part="mf-pricing",version="1.1.0",group="canary"} ${value}`,
    )
    .join('\n');

test('begun views: views from before the watch are excluded', () => {
  let now = 0;
  const counts = new CanaryCounts('mf-pricing', snapshot, 30_000, () => now);
  for (const [time, begun] of [
    [0, 100],
    [29_000, 400],
    [31_000, 410],
    [36_000, 430],
  ] as const) {
    now = time;
    counts.add('one', metrics(begun, begun - 10));
  }
  assert.deepEqual(counts.comparisons.hung.canary, { views: 20, failures: 0, networks: 0 });
});

test('begun views: instances are summed, and a restart resets one instance only', () => {
  const counts = new CanaryCounts('mf-pricing', snapshot, 0);
  for (const [one, other] of [
    [metrics(10, 10), metrics(50, 40)],
    [metrics(20, 15), metrics(8, 8)],
  ] as const) {
    counts.add('one', one);
    counts.add('other', other);
  }
  assert.deepEqual(counts.comparisons.hung.canary, { views: 18, failures: 5, networks: 5 });
});
