import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CounterIncrease, readCounts } from './part-metrics.ts';

const metrics = `# HELP site_part_views_total Views
# TYPE site_part_views_total counter
site_part_views_total{part="mf-pricing",version="1.1.0",group="canary"} 40
site_part_views_total{part="mf-pricing",version="1.1.0",group="stable"} 7
site_part_views_total{part="mf-header",version="1.1.0",group="canary"} 5
site_part_failures_total{part="mf-pricing",version="1.1.0",group="canary",cause="render"} 3
site_part_failures_total{cause="load",group="canary",version="1.1.0",part="mf-pricing"} 1
site_part_mismatches_total{part="mf-pricing",version="1.1.0",group="canary"} 9
site_part_failures_networks_total{part="mf-pricing",version="1.1.0",group="canary"} 3
site_part_late_total{part="mf-pricing",version="1.1.0",group="canary"} 2
site_part_load_seconds_sum{part="mf-pricing",version="1.1.0",group="canary"} 12
process_cpu_seconds_total 1.5
`;

test('part metrics: failures are summed over causes of one part, version and group', () => {
  const read = (version: string, group: 'canary' | 'stable') => {
    const { views, failures, failuresNetworks, mismatches, late } = readCounts(
      metrics,
      'mf-pricing',
      version,
      group,
    );
    return [views, failures, failuresNetworks, mismatches, late];
  };
  assert.deepEqual(read('1.1.0', 'canary'), [40, 4, 3, 9, 2]);
  assert.deepEqual(read('1.1.0', 'stable'), [7, 0, 0, 0, 0]);
  assert.deepEqual(read('9.9.9', 'canary'), [0, 0, 0, 0, 0]);
});

test('part metrics: only increases since the first scrape count, even after a restart', () => {
  const growth = new CounterIncrease('views', 'failures');
  const readings = [
    { views: 100, failures: 9 },
    { views: 110, failures: 9 },
    { views: 4, failures: 1 },
    { views: 6, failures: 1 },
  ];
  assert.deepEqual(
    readings.map((reading) => {
      growth.add(reading);
      return growth.sum;
    }),
    [
      { views: 0, failures: 0 },
      { views: 10, failures: 0 },
      { views: 14, failures: 1 },
      { views: 16, failures: 1 },
    ],
  );
});
