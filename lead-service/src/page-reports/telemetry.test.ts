import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostService, hostServiceOfSite, type ServiceOfSite } from '../testing/hosted-service.ts';
import { sqlite } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';

/** A report on version 1.1.0 of a part. */
const partOf = (outcome: string, more: object = {}) => ({
  ...{ part: 'mf-pricing', version: '1.1.0', group: 'canary', outcome },
  ...more,
});
const loaded = partOf('loaded', { milliseconds: 350 });
const failed = (cause: string, version = '1.1.0') => partOf('failed', { cause, version });
const report = {
  releaseId: 'r-0123456789ab',
  parts: [loaded, failed('render')],
  vitals: [
    { name: 'LCP', value: 1234 },
    { name: 'CLS', value: 0.02 },
  ],
};

interface Watched extends ServiceOfSite {
  send(body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Sends a report on these parts, from an address if there is a proxy. */
  sendParts(parts: readonly unknown[], address?: string): Promise<Response>;
  /** Sums of the counters whose names match, by name. */
  counters(names: RegExp): Promise<Readonly<Record<string, number>>>;
}

async function startWatched(settings: Record<string, string> = {}): Promise<Watched> {
  const service = await hostServiceOfSite(settings);
  const send: Watched['send'] = (body, headers) => service.post('/api/telemetry', body, headers);
  return {
    ...{ ...service, send },
    sendParts: (parts, address = '192.0.2.1') => send({ ...report, parts }, { 'x-forwarded-for': address }),
    async counters(names) {
      const sums: Record<string, number> = {};
      for (const [, name = '', value] of (await service.metrics()).matchAll(
        /^site_part_(\w+)_total\{.*\} (\d+)$/gm,
      )) {
        if (names.test(name)) sums[name] = (sums[name] ?? 0) + Number(value);
      }
      return sums;
    },
  };
}

test('telemetry: reports become metrics by part, version and group', async () => {
  await using watched = await startWatched();
  assert.equal((await watched.send(report)).status, 204);
  assert.equal((await watched.send({ ...report, somebody: 'ada@example.com' })).status, 204);
  const metrics = await watched.metrics();
  const labels = 'part="mf-pricing",version="1.1.0",group="canary"';
  for (const line of [
    `site_part_views_total{${labels}} 2`,
    `site_part_failures_total{${labels},cause="render"} 2`,
    `site_part_load_seconds_count{${labels}} 2`,
    'site_web_vital_seconds_count{name="LCP"} 2',
    'site_layout_shift_count 2',
  ]) {
    assert.ok(metrics.includes(`${line}\n`), line);
  }
  assert.doesNotMatch(metrics + watched.lines.join('\n'), /ada@/);
});

test('telemetry: a report counts a version once', async () => {
  await using watched = await startWatched();
  await watched.sendParts(Array.from({ length: 64 }, () => loaded));
  assert.deepEqual(await watched.counters(/^views$/), { views: 1 });
});

test('telemetry: failed and throwing versions count as one view', async () => {
  await using watched = await startWatched();
  await watched.sendParts([failed('load', '2.0.0'), failed('load', '3.0.0'), loaded, failed('event')]);
  const metrics = await watched.metrics();
  assert.equal([...metrics.matchAll(/^site_part_views_total\{.*\} 1$/gm)].length, 3);
  assert.equal([...metrics.matchAll(/^site_part_failures_total\{.*\} 1$/gm)].length, 3);
});

test('telemetry: a late version counts as a view only after it has loaded', async () => {
  await using watched = await startWatched();
  await watched.sendParts([partOf('late'), partOf('late')]);
  assert.deepEqual(await watched.counters(/^(views|failures|late)$/), { late: 1 });
  await watched.sendParts([loaded]);
  assert.deepEqual(await watched.counters(/^views$/), { views: 1 });
});

test('telemetry: a hydration mismatch is no failure', async () => {
  await using watched = await startWatched();
  await watched.sendParts([loaded, failed('mismatch')]);
  const counters = await watched.counters(/views|failures|mismatches/);
  assert.deepEqual(counters, { views: 1, mismatches: 1, mismatches_networks: 1 });
});

test('telemetry: a slow interaction counts for the version in whose slot it happened', async () => {
  await using watched = await startWatched();
  const shown = { part: 'mf-pricing', version: '1.1.0', group: 'canary' };
  for (const value of [350, 400, 200]) {
    const vitals = [{ name: 'INP', value, shown }];
    assert.equal((await watched.send({ ...report, parts: [], vitals })).status, 204);
  }
  assert.deepEqual(await watched.counters(/^(used|slow)/), { used: 3, slow: 2, slow_networks: 1 });
});

test('telemetry: a report that is invalid, foreign or too large is refused and not counted', async () => {
  await using watched = await startWatched();
  for (const [what, body, headers, status] of [
    ['that is no JSON', '{', {}, 400],
    ['from another site', report, { origin: 'https://elsewhere.example' }, 403],
    ['of more than 8 kB', { ...report, padding: 'x'.repeat(9_000) }, {}, 413],
    ['of another type', report, { 'content-type': 'text/plain' }, 415],
    ['without a release', { ...report, releaseId: undefined }, {}, 422],
  ] as const) {
    assert.equal((await watched.send(body, headers)).status, status, what);
  }
  assert.doesNotMatch(await watched.metrics(), /^site_part_views_total\{/m);
});

test('telemetry: a malformed entry costs only itself', async () => {
  await using watched = await startWatched();
  const tooLong = { ...loaded, version: `1.0.0-${'b'.repeat(59)}` };
  const others = [tooLong, { ...loaded, part: 'mf-other' }, { ...loaded, version: 'latest"} 1' }, 'nothing'];
  assert.equal((await watched.sendParts([...others, loaded])).status, 204);
  assert.deepEqual(await watched.counters(/^views$/), { views: 1 });
});

test('telemetry: an address has a rate limit', async () => {
  await using watched = await startWatched({ REPORTS_PER_ADDRESS: '2' });
  const statuses = [];
  for (let time = 0; time < 3; time += 1) statuses.push((await watched.send(report)).status);
  assert.deepEqual(statuses, [204, 204, 429]);
});

test('telemetry: failures of one network count as one network', async () => {
  await using watched = await startWatched({ TRUSTED_PROXY_HOPS: '1' });
  const addresses = ['192.0.2.1', '192.0.2.1', '192.0.2.9', '198.51.100.1', '2001:db8::1', '2001:db8::2'];
  for (const address of addresses) await watched.sendParts([failed('event')], address);
  assert.deepEqual(await watched.counters(/failures/), { failures: 6, failures_networks: 3 });
});

test('telemetry: one report settles a view once, and no network more views than it began', async () => {
  await using watched = await startWatched({ TRUSTED_PROXY_HOPS: '1' });
  const age = { sinceBegun: 60_000 };
  const outcomes = [
    { ...loaded, ...age },
    partOf('late', age),
    partOf('failed', { ...age, cause: 'render' }),
    partOf('left', age),
  ];
  for (let view = 0; view < 3; view += 1) await watched.sendParts([partOf('begun')]);
  await watched.sendParts(outcomes);
  assert.deepEqual(await watched.counters(/^settled/), { settled: 1 });
  // The views of another network cannot be settled from here, and the own ones only once.
  for (let forged = 0; forged < 9; forged += 1) await watched.sendParts(outcomes, '198.51.100.1');
  for (let forged = 0; forged < 9; forged += 1) await watched.sendParts(outcomes, '192.0.2.2');
  assert.deepEqual(await watched.counters(/^settled/), { settled: 3 });
});

test('telemetry: a begun load is no view, and a late settlement counts at once', async () => {
  await using watched = await startWatched();
  for (let view = 0; view < 2; view += 1) await watched.sendParts([partOf('begun')]);
  assert.deepEqual(await watched.counters(/^(views|begun|settled)$/), {});
  await watched.sendParts([{ ...loaded, sinceBegun: 60_000 }]);
  await watched.sendParts([partOf('left', { sinceBegun: 60_000 })]);
  const counters = await watched.counters(/^(views|begun|settled)$/);
  assert.deepEqual(counters, { views: 1, begun: 0, settled: 2 });
});

/** Four reports, each with the maximum number of invented versions. */
function madeUpReports(): readonly object[] {
  return Array.from({ length: 4 }, (_, number) => ({
    ...report,
    parts: Array.from({ length: 64 }, (_part, index) => ({ ...loaded, version: `6.${number}.${index}` })),
  }));
}

test('telemetry: invented versions count as "other" and evict no live version', async () => {
  await using watched = await startWatched();
  await watched.send(report);
  for (const madeUp of madeUpReports()) assert.equal((await watched.send(madeUp)).status, 204);
  const metrics = await watched.metrics();
  const views = [...metrics.matchAll(/^site_part_views_total\{.*$/gm)].map(([line]) => line);
  assert.deepEqual(views.sort(), [
    'site_part_views_total{part="mf-pricing",version="1.1.0",group="canary"} 1',
    'site_part_views_total{part="mf-pricing",version="other",group="canary"} 256',
  ]);
});

test('telemetry: log, readiness and metrics report an unreadable live page', async () => {
  await using watched = await startWatched();
  await watched.send(report);
  assert.match(await watched.metrics(), /^site_live_page_up 1$/m);
  await watched.page.remove();
  const [madeUp = assert.fail()] = madeUpReports();
  await until(
    async () => {
      await watched.send(madeUp);
      return watched.metrics();
    },
    (metrics) => metrics.includes('site_live_page_up 0\n'),
  );
  await watched.send(report);
  assert.match(await watched.metrics(), /^site_part_views_total\{.*version="1\.1\.0".*\} 2$/m);
  assert.deepEqual(await (await fetch(`${watched.url}/readyz`)).json(), {
    status: 'degraded',
    reasons: [
      'The live page (LIVE_PAGE) cannot be read. Reports of versions not known yet count as "other".',
    ],
  });
  assert.match(await watched.line('LIVE_PAGE cannot be read'), /reason=ENOENT/);
});

test('telemetry: without LIVE_PAGE, views are counted without versions', async () => {
  await using service = await hostService(sqlite);
  await service.line('no LIVE_PAGE is set');
  await service.post('/api/telemetry', report);
  const metrics = await service.metrics();
  assert.match(metrics, /^site_part_views_total\{part="mf-pricing",version="other",group="canary"\} 1$/m);
  assert.match(metrics, /^site_live_page_up 0$/m);
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
});
