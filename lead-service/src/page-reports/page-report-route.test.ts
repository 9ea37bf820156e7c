import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { hostService, hostServiceOfSite } from '../testing/hosted-service.ts';
import { livePageNaming } from '../testing/live-page-naming.ts';
import { serveLocally } from '../testing/local-server.ts';
import { statusOfLead } from '../testing/send-lead.ts';
import { sqlite } from '../testing/test-databases.ts';
import { until, untilLength } from '../testing/until.ts';

/** An entry of a report, on the canary that the page of `hostServiceOfSite` names. */
const partOf = (measure: string, more: object = {}) => ({
  ...{ part: 'mf-pricing', version: '1.1.0', group: 'canary', measure },
  ...more,
});
const viewed = partOf('viewed');
const report = {
  releaseId: 'r-0123456789ab',
  parts: [viewed, partOf('failed', { cause: 'render' }), partOf('slow')],
  vitals: [
    { name: 'LCP', value: 1234 },
    { name: 'CLS', value: 0.02 },
  ],
};

async function startWatched(settings: Record<string, string> = {}) {
  const service = await hostServiceOfSite(settings);
  const send = (body: unknown, headers?: Record<string, string>) =>
    service.post('/api/page-reports', body, headers);
  return {
    ...{ ...service, send },
    /** The series of views by their labels, with their values. */
    async views() {
      const lines = (await service.metrics()).matchAll(/(?<=^site_part_views_total)\{.*$/gm);
      return [...lines].map(([line]) => line).sort();
    },
  };
}

test('page reports: reports become metrics by part, version and group', async () => {
  await using watched = await startWatched();
  assert.equal((await watched.send(report)).status, 204);
  assert.equal((await watched.send({ ...report, sender: 'ada@example.com' })).status, 204);
  const metrics = await watched.metrics();
  const labels = 'part="mf-pricing",version="1.1.0",group="canary"';
  for (const line of [
    `site_part_views_total{${labels}} 2`,
    `site_part_failed_total{${labels},cause="render"} 2`,
    `site_part_slow_total{${labels}} 2`,
    'site_web_vital_seconds_count{name="LCP"} 2',
    'site_layout_shift_count 2',
  ]) {
    assert.ok(metrics.includes(`${line}\n`), line);
  }
  assert.doesNotMatch(metrics + watched.lines.join('\n'), /ada@/);
});

test('page reports: an invalid, foreign or too large one is refused and not counted', async () => {
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
  const unread = await watched.send(report, { 'content-type': 'application/x-www-form-urlencoded' });
  assert.equal(unread.headers.get('accept'), 'application/json');
  assert.doesNotMatch(await watched.metrics(), /^site_part_views_total\{/m);
});

test('page reports: a malformed entry costs only itself, and a report counts a version once', async () => {
  await using watched = await startWatched();
  const tooLong = { ...viewed, version: `1.0.0-${'b'.repeat(59)}` };
  const others = [tooLong, { ...viewed, part: 'mf-other' }, { ...viewed, version: 'latest"} 1' }, 'nothing'];
  assert.equal((await watched.send({ ...report, parts: [...others, viewed, viewed] })).status, 204);
  assert.deepEqual(await watched.views(), ['{part="mf-pricing",version="1.1.0",group="canary"} 1']);
});

test('page reports: an address has a rate limit', async () => {
  await using watched = await startWatched({ LEADS_PER_ADDRESS: '2' });
  const statuses = [];
  for (let time = 0; time < 3; time += 1) statuses.push((await watched.send(report)).status);
  assert.deepEqual(statuses, [204, 204, 429]);
});

test('page reports: invented versions count as "other" and evict no live version', async () => {
  await using watched = await startWatched();
  await watched.send(report);
  for (const minor of [0, 1, 2, 3]) {
    // The maximum of a report.
    const parts = Array.from({ length: 64 }, (_, patch) => ({ ...viewed, version: `6.${minor}.${patch}` }));
    assert.equal((await watched.send({ ...report, parts })).status, 204);
  }
  assert.deepEqual(await watched.views(), [
    '{part="mf-pricing",version="1.1.0",group="canary"} 1',
    '{part="mf-pricing",version="other",group="canary"} 256',
  ]);
});

test('page reports: log, readiness and metrics report an unreadable live page', async () => {
  await using watched = await startWatched();
  await watched.send(report);
  assert.match(await watched.metrics(), /^site_live_page_up 1$/m);
  await rm(watched.page);
  // The service reads the page at most once per second.
  await until(
    async () => {
      await watched.send({ ...report, parts: [{ ...viewed, version: '6.6.6' }] });
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

test('page reports: without LIVE_PAGE, views are counted without versions', async () => {
  await using service = await hostService(sqlite);
  await service.line('no LIVE_PAGE is set');
  await service.post('/api/page-reports', report);
  const metrics = await service.metrics();
  assert.match(metrics, /^site_part_views_total\{part="mf-pricing",version="other",group="canary"\} 1$/m);
  assert.match(metrics, /^site_live_page_up 0$/m);
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
});

test('leads by version: no answer waits for a live page that does not respond', async () => {
  const held: ServerResponse[] = [];
  await using site = await serveLocally((_request, response) => void held.push(response));
  await using service = await hostService(sqlite, { LIVE_PAGE: site.url });
  await untilLength(() => held, 1);
  const { part, version, group } = viewed;
  const attribution = { releaseId: report.releaseId, parts: [{ part, version, group }] };
  assert.equal(await statusOfLead(service, { attribution }), 201);

  const counted = /^site_part_leads_total\{.*version="1\.1\.0".*\} 1$/m;
  assert.doesNotMatch(await service.metrics(), counted);
  for (const response of held) response.end(livePageNaming({ 'mf-pricing': { live: '1.1.0' } }));
  await until(async () => counted.test(await service.metrics()));
});
