import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measure } from './measurements.ts';
import {
  addScrape,
  emptyHistory,
  historyLength,
  metricsHistory,
  pointLength,
  type MetricsHistory,
} from './metrics-history.ts';

const start = Date.parse('2026-11-22T04:00:00Z');
const minute = 60_000;

interface Counters {
  readonly views: number;
  readonly failures?: number;
  readonly version?: string;
}

function metricsOf({ views, failures = 0, version = '1.0.0' }: Counters): string {
  const labels = `part="mf-pricing",version="${version}",group="stable"`;
  const canary = labels.replace('stable', 'canary');
  return [
    '# TYPE site_part_views_total counter',
    `site_part_views_total{${labels}} ${views}`,
    `site_part_views_total{${canary}} 0`,
    `site_part_failures_total{${labels},cause="load"} ${failures}`,
    `site_part_failures_total{${labels},cause="render"} ${failures}`,
    `site_part_late_total{${labels}} ${views / 10}`,
    `site_part_mismatches_total{${labels}} ${views / 5}`,
    `site_part_begun_total{${labels}} ${views}`,
    `site_part_settled_total{${labels}} ${views * 0.9}`,
    `site_part_load_seconds_bucket{le="0.5",${labels}} ${views / 2}`,
    `site_part_load_seconds_bucket{le="1",${labels}} ${views}`,
    `site_part_load_seconds_bucket{le="+Inf",${labels}} ${views}`,
    `site_web_vital_seconds_bucket{le="2.5",name="LCP"} ${views}`,
    `site_web_vital_seconds_bucket{le="+Inf",name="LCP"} ${views}`,
    `site_layout_shift_bucket{le="0.1"} ${views}`,
    `site_layout_shift_bucket{le="+Inf"} ${views}`,
    'process_cpu_seconds_total 12',
  ].join('\n');
}

/** Scrapes an instance once a minute. */
function scraped(...readings: readonly Counters[]): MetricsHistory {
  return readings.reduce(
    (history, reading, index) =>
      addScrape(history, { address: 'http://a/', metrics: metricsOf(reading), at: start + index * minute }),
    emptyHistory,
  );
}

const totalOf = (history: MetricsHistory, version = '1.0.0') =>
  measure(history)?.parts['mf-pricing']?.find((known) => known.version === version)?.total;

test('metrics history: counts the growth since the first scrape', () => {
  const total = totalOf(scraped({ views: 1000 }, { views: 1060, failures: 3 }, { views: 1100, failures: 3 }));
  assert.deepEqual(
    [total?.views, total?.failures, total?.late, total?.rerendered, total?.hung?.toFixed(2)],
    [100, 6, 0.1, 0.2, '0.10'],
  );
  assert.equal(total?.failed?.rate, 0.06);
  assert.equal(total?.loadTime, 0.75);
});

test('metrics history: a restarted service counts from zero, a new version from its first report', () => {
  assert.equal(totalOf(scraped({ views: 50 }, { views: 70 }, { views: 8 }))?.views, 28);
  assert.equal(totalOf(scraped({ views: 50 }, { views: 5, version: '1.1.0' }), '1.1.0')?.views, 5);
});

test('metrics history: instances are summed, and stored without their addresses', () => {
  const scrape = (history: MetricsHistory, address: string, views: number, at: number) =>
    addScrape(history, { address, metrics: metricsOf({ views }), at });
  let history = emptyHistory;
  for (const [index, views] of [0, 10].entries()) {
    history = scrape(history, 'http://user:secret@a/', views, start + index * minute);
    history = scrape(history, 'http://b/', views * 2, start + index * minute);
  }
  assert.equal(totalOf(history)?.views, 30);
  assert.doesNotMatch(JSON.stringify(history), /secret|http/);
  assert.deepEqual(metricsHistory.parse(JSON.parse(JSON.stringify(history))), history);
});

test('metrics history: growth over a long gap belongs to no point', () => {
  const late = { address: 'http://a/', metrics: metricsOf({ views: 900 }), at: start + 3 * pointLength };
  assert.equal(totalOf(addScrape(scraped({ views: 1 }, { views: 2 }), late))?.views, 1);
});

test('metrics history: keeps a day, however long it is scraped', () => {
  let history = emptyHistory;
  for (let index = 0; index < 400; index += 1) {
    const metrics = metricsOf({ views: index * 10 });
    history = addScrape(history, { address: 'http://a/', metrics, at: start + index * pointLength });
  }
  assert.equal(history.points.length, historyLength / pointLength + 1);
  const measured = measure(history);
  assert.equal(measured?.times.length, historyLength / pointLength);
  assert.equal(totalOf(history)?.views, 1440);
  const points = measured.parts['mf-pricing']?.[0]?.points;
  assert.deepEqual([points?.[0]?.views, points?.at(-1)?.views], [10, 10]);
  assert.equal(points?.at(-1)?.failed?.high.toFixed(2), '0.06', 'of an hour');
  assert.deepEqual(
    measured.vitals.map(({ name, total }) => [name, total?.toFixed(3)]),
    [
      ['LCP', '1.875'],
      ['INP', undefined],
      ['FCP', undefined],
      ['TTFB', undefined],
      ['CLS', '0.075'],
    ],
  );
});

test('metrics history: a clock that was set back loses a scrape, not the history', () => {
  const back = { address: 'http://a/', metrics: metricsOf({ views: 30 }), at: start - minute };
  const history = addScrape(scraped({ views: 10 }, { views: 20 }), back);
  assert.equal(
    totalOf(addScrape(history, { ...back, metrics: metricsOf({ views: 35 }), at: start }))?.views,
    5,
  );
});

test('metrics history: damaged metrics neither grow without end nor remove what is known', () => {
  const labels = (version: string) => `part="mf-pricing",version="${version}",group="stable"`;
  const damaged = (round: number) =>
    [
      metricsOf({ views: 10 + round }),
      'constructor 1',
      `constructor{${labels('1.0.0')}} 1`,
      `site_part_views_total{${labels('<b>')}} 5`,
      `site_part_views_total{part="__proto__",version="1.0.0"} 5`,
      `site_part_load_seconds_bucket{${labels('1.0.0')},le="__proto__"} 5`,
      ...Array.from({ length: 2 }, () => `site_part_late_total{${labels('1.0.0')}} ${Number.MAX_VALUE}`),
      ...Array.from(
        { length: 2000 },
        (_, index) => `site_part_views_total{${labels(`9.${round}.${index}`)}} 1`,
      ),
    ].join('\n');
  let history = emptyHistory;
  for (let round = 0; round < 5; round += 1) {
    history = addScrape(history, {
      address: 'http://a/',
      metrics: damaged(round),
      at: start + round * minute,
    });
  }
  const stored = metricsHistory.parse(JSON.parse(JSON.stringify(history)));
  assert.deepEqual(stored, history);
  for (const { series } of [...Object.values(stored.instances), ...stored.points]) {
    assert(Object.keys(series).length <= 500);
  }
  assert.equal(totalOf(stored)?.views, 4);
  assert.equal(totalOf(stored, '<b>'), undefined);
  assert.equal(measure(stored)?.parts['mf-pricing']?.length, 20);
});
