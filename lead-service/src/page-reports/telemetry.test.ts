import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLivePageFile, type LivePageFile } from '../testing/live-page-file.ts';
import { hostService, type HostedService } from '../testing/hosted-service.ts';
import { sqlite } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';

const loaded = {
  part: 'mf-pricing',
  version: '1.1.0',
  group: 'canary',
  outcome: 'loaded',
  milliseconds: 350,
};
const report = {
  releaseId: 'r-0123456789ab',
  parts: [
    loaded,
    { part: 'mf-pricing', version: '1.1.0', group: 'canary', outcome: 'failed', cause: 'render' },
  ],
  vitals: [
    { name: 'LCP', value: 1234 },
    { name: 'CLS', value: 0.02 },
  ],
};

interface Watched extends HostedService {
  send(body: unknown, headers?: Record<string, string>): Promise<Response>;
  readonly page: LivePageFile;
}

async function startWatched(settings: Record<string, string> = {}): Promise<Watched> {
  await using opening = new AsyncDisposableStack();
  const database = opening.use(await sqlite.open());
  const page = await createLivePageFile(database.dataDirectory, {
    'mf-pricing': { live: '3.0.0', previous: '2.0.0', canary: '1.1.0' },
  });
  const service = opening.use(await hostService(database, { LIVE_PAGE: page.path, ...settings }));
  const opened = opening.move();
  return {
    ...service,
    page,
    send: (body, headers) => service.post('/api/telemetry', body, headers),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

test('telemetry: reports become metrics by part, version and group', async () => {
  await using watched = await startWatched();
  assert.equal((await watched.send(report)).status, 204);
  assert.equal((await watched.send({ ...report, somebody: 'ada@example.com' })).status, 204);
  const metrics = await watched.metrics();
  for (const line of [
    'site_part_views_total{part="mf-pricing",version="1.1.0",group="canary"} 2',
    'site_part_failures_total{part="mf-pricing",version="1.1.0",group="canary",cause="render"} 2',
    'site_part_load_seconds_count{part="mf-pricing",version="1.1.0",group="canary"} 2',
    'site_web_vital_seconds_count{name="LCP"} 2',
    'site_layout_shift_count 2',
  ]) {
    assert.ok(metrics.includes(`${line}\n`), line);
  }
  assert.doesNotMatch(metrics + watched.lines.join('\n'), /ada@/);
});

test('telemetry: a report counts a version once', async () => {
  await using watched = await startWatched();
  await watched.send({ ...report, parts: Array.from({ length: 64 }, () => loaded) });
  assert.match(await watched.metrics(), /^site_part_views_total\{.*\} 1$/m);
});

test('telemetry: failed and throwing versions count as one view', async () => {
  await using watched = await startWatched();
  const failed = (version: string, cause: string) => ({
    ...loaded,
    version,
    milliseconds: undefined,
    outcome: 'failed',
    cause,
  });
  await watched.send({
    ...report,
    parts: [failed('2.0.0', 'load'), failed('3.0.0', 'load'), loaded, failed('1.1.0', 'event')],
  });
  const metrics = await watched.metrics();
  assert.equal([...metrics.matchAll(/^site_part_views_total\{.*\} 1$/gm)].length, 3);
  assert.equal([...metrics.matchAll(/^site_part_failures_total\{.*\} 1$/gm)].length, 3);
});

test('telemetry: a late version counts as a view only after it has loaded', async () => {
  await using watched = await startWatched();
  const late = { ...loaded, milliseconds: undefined, outcome: 'late' };
  await watched.send({ ...report, parts: [late, late] });
  assert.match(await watched.metrics(), /^site_part_late_total\{.*\} 1$/m);
  assert.doesNotMatch(await watched.metrics(), /^site_part_(views|failures)_total\{/m);
  await watched.send({ ...report, parts: [loaded] });
  assert.match(await watched.metrics(), /^site_part_views_total\{.*\} 1$/m);
});

for (const [what, body, headers, status] of [
  ['that is no JSON', '{', {}, 400],
  ['from another site', report, { origin: 'https://elsewhere.example' }, 403],
  ['of more than 8 kB', { ...report, padding: 'x'.repeat(9_000) }, {}, 413],
  ['of another type', report, { 'content-type': 'text/plain' }, 415],
  ['of an unknown part', { ...report, parts: [{ ...loaded, part: 'mf-other' }] }, {}, 422],
  ['of a version that is none', { ...report, parts: [{ ...loaded, version: 'latest"} 1' }] }, {}, 422],
  ['without a release', { ...report, releaseId: undefined }, {}, 422],
  ['of more parts than a page has', { ...report, parts: Array.from({ length: 65 }, () => loaded) }, {}, 422],
] as const) {
  test(`telemetry: a report ${what} gets ${status} and is not counted`, async () => {
    await using watched = await startWatched();
    assert.equal((await watched.send(body, headers)).status, status);
    assert.doesNotMatch(await watched.metrics(), /^site_part_views_total\{/m);
  });
}

test('telemetry: an address has a rate limit', async () => {
  await using watched = await startWatched({ REPORTS_PER_ADDRESS: '2' });
  const statuses = [];
  for (let time = 0; time < 3; time += 1) statuses.push((await watched.send(report)).status);
  assert.deepEqual(statuses, [204, 204, 429]);
});

test('telemetry: an IPv6 network has a rate limit, whatever address it uses', async () => {
  await using watched = await startWatched({ REPORTS_PER_NETWORK: '2', TRUSTED_PROXY_HOPS: '1' });
  const statuses = [];
  for (const host of [1, 2, 3]) {
    const headers = { 'x-forwarded-for': `2001:db8:0:7::${host}` };
    statuses.push((await watched.send(report, headers)).status);
  }
  assert.deepEqual(statuses, [204, 204, 429]);
});

/** Values of the counters whose names match, by name. */
async function countersOf(watched: Watched, names: RegExp): Promise<Readonly<Record<string, number>>> {
  const samples = [...(await watched.metrics()).matchAll(/^site_part_(\w+)_total\{.*\} (\d+)$/gm)];
  return Object.fromEntries(
    samples.flatMap(([, name = '', value]) => (names.test(name) ? [[name, Number(value)]] : [])),
  );
}

test('telemetry: failures of one network count as one network', async () => {
  await using watched = await startWatched({ TRUSTED_PROXY_HOPS: '1' });
  const failed = { ...loaded, milliseconds: undefined, outcome: 'failed', cause: 'event' };
  for (const address of [
    '192.0.2.1',
    '192.0.2.1',
    '192.0.2.9',
    '198.51.100.1',
    '2001:db8::1',
    '2001:db8::2',
  ]) {
    await watched.send({ ...report, parts: [failed] }, { 'x-forwarded-for': address });
  }
  assert.deepEqual(await countersOf(watched, /failures/), { failures: 6, failures_networks: 3 });
});

test('telemetry: a hydration mismatch is no failure', async () => {
  await using watched = await startWatched();
  const mismatch = { ...loaded, milliseconds: undefined, outcome: 'failed', cause: 'mismatch' };
  await watched.send({ ...report, parts: [loaded, mismatch] });
  assert.deepEqual(await countersOf(watched, /views|failures|mismatches/), {
    views: 1,
    mismatches: 1,
    mismatches_networks: 1,
  });
});

test('telemetry: one report settles a view once, and no network more views than it began', async () => {
  await using watched = await startWatched({ TRUSTED_PROXY_HOPS: '1' });
  const age = { sinceBegun: 60_000 };
  const outcomes = [
    { ...loaded, ...age },
    { ...loaded, ...age, milliseconds: undefined, outcome: 'late' },
    { ...loaded, ...age, milliseconds: undefined, outcome: 'failed', cause: 'render' },
    { ...loaded, ...age, milliseconds: undefined, outcome: 'left' },
  ];
  const begun = { ...loaded, milliseconds: undefined, outcome: 'begun' };
  const send = (parts: readonly object[], address: string) =>
    watched.send({ ...report, parts }, { 'x-forwarded-for': address });
  for (let view = 0; view < 3; view += 1) await send([begun], '192.0.2.1');
  await send(outcomes, '192.0.2.1');
  assert.deepEqual(await countersOf(watched, /^settled/), { settled: 1 });
  // The views of another network cannot be settled from here, and the own ones only once.
  for (let forged = 0; forged < 9; forged += 1) await send(outcomes, '198.51.100.1');
  for (let forged = 0; forged < 9; forged += 1) await send(outcomes, '192.0.2.2');
  assert.deepEqual(await countersOf(watched, /^settled/), { settled: 3 });
});

test('telemetry: a begun load is no view, and a late settlement counts at once', async () => {
  await using watched = await startWatched();
  const canary = { part: 'mf-pricing', version: '1.1.0', group: 'canary' };
  const send = (part: object) => watched.send({ ...report, parts: [part] });
  await send({ ...canary, outcome: 'begun' });
  await send({ ...canary, outcome: 'begun' });
  assert.doesNotMatch(await watched.metrics(), /^site_part_(views|begun|settled)_total\{/m);
  await send({ ...loaded, sinceBegun: 60_000 });
  await send({ ...canary, outcome: 'left', sinceBegun: 60_000 });
  const metrics = await watched.metrics();
  assert.match(metrics, /^site_part_settled_total\{.*\} 2$/m);
  assert.match(metrics, /^site_part_begun_total\{.*\} 0$/m);
  assert.match(metrics, /^site_part_views_total\{.*\} 1$/m);
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

test('telemetry: a canary has metrics from its first report on', async () => {
  await using watched = await startWatched();
  await watched.send(report);
  await watched.page.name({ 'mf-pricing': { live: '3.0.0', canary: '4.0.0' } });
  const ofCanary = { ...report, parts: [{ ...loaded, version: '4.0.0' }] };
  // The service reads the page at most once per second.
  await until(
    async () => {
      await watched.send(ofCanary);
      return watched.metrics();
    },
    (metrics) => metrics.includes('version="4.0.0",group="canary"} '),
  );
  assert.match(await watched.metrics(), /^site_part_views_total\{.*version="1\.1\.0".*\} 1$/m);
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
