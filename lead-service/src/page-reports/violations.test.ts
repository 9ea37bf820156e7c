import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostServiceOfSite, type ServiceOfSite } from '../testing/hosted-service.ts';
import { until } from '../testing/until.ts';
import { pageReportsQuery, readPageReports } from './read-page-reports.ts';

interface Reported extends ServiceOfSite {
  /** Sends a body as a browser sends its reports. */
  send(body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** URL of a file of the site. */
  file(path: string): string;
  /** A violation on the page of the site. */
  violation(details: object, type?: string): object;
  /** Counted violations: `<part> <version> <group>: <count>`. */
  counted(): Promise<readonly string[]>;
}

async function startReported(settings: Record<string, string> = {}): Promise<Reported> {
  const service = await hostServiceOfSite(settings);
  const file = (path: string) => new URL(path, service.url).href;
  return {
    ...service,
    file,
    send: (body, headers) =>
      service.post('/api/violations', body, { 'content-type': 'application/reports+json', ...headers }),
    violation: (details, type = 'csp-violation') => ({
      ...{ type, age: 12, url: file('/'), user_agent: 'a browser' },
      body: { documentURL: file('/?utm_source=mail'), disposition: 'enforce', ...details },
    }),
    counted: async () =>
      [
        ...(await service.metrics()).matchAll(
          /^site_part_violations_total\{part="(.+)",version="(.+)",group="(.+)"\} (\d+)$/gm,
        ),
      ].map(([, part, version, group, count]) => `${part} ${version} ${group}: ${count}`),
  };
}

const releaseId = 'r-0123456789ab';
const canary = '/mf-pricing/1.1.0/exposed.js';
const live = '/mf-pricing/3.0.0/exposed.js';
const shell = '/shell/1.0.0/shell.js';
const elsewhere = 'https://elsewhere.example/mf-pricing/1.1.0/pixel.png';

for (const [what, sourceFile, blockedURL, expected] of [
  ['code of the canary', canary, elsewhere, 'mf-pricing 1.1.0 canary'],
  ['code of the live version', live, 'eval', 'mf-pricing 3.0.0 stable'],
  ['code of an unknown version', '/mf-pricing/6.6.6/exposed.js', 'inline', 'mf-pricing other stable'],
  ['a file of the canary that the shell loads', shell, canary, 'mf-pricing 1.1.0 canary'],
  ['a file of the canary, without code', undefined, canary, 'mf-pricing 1.1.0 canary'],
  ['code of the shell', shell, 'trusted-types-sink', 'shell 1.0.0 stable'],
  ['no part', '/', 'inline', `page ${releaseId} stable`],
  ['a file of another site', undefined, elsewhere, `page ${releaseId} stable`],
] as const) {
  test(`violations: a report that names ${what} counts for ${expected}`, async () => {
    await using reported = await startReported();
    const { file, violation } = reported;
    const details = {
      blockedURL: blockedURL.startsWith('/') ? file(blockedURL) : blockedURL,
      ...(sourceFile && { sourceFile: file(sourceFile) }),
    };
    assert.equal((await reported.send([violation(details)])).status, 204);
    assert.deepEqual(await reported.counted(), [`${expected}: 1`]);
  });
}

const chromium =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const safari =
  'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15';

test('violations: of integrity count, except for the preloads that WebKit refuses', async () => {
  await using reported = await startReported();
  const { file, violation } = reported;
  const refused = violation({ blockedURL: file(canary), destination: 'script' }, 'integrity-violation');
  await reported.send([refused], { 'user-agent': safari });
  assert.deepEqual(await reported.counted(), []);
  await reported.send([refused], { 'user-agent': chromium });
  assert.deepEqual(await reported.counted(), ['mf-pricing 1.1.0 canary: 1']);
});

test('violations: a single report, as WebKit sends it, counts', async () => {
  await using reported = await startReported();
  const type = { 'content-type': 'application/csp-report', 'user-agent': safari };
  await reported.send(reported.violation({ sourceFile: reported.file(canary) }), type);
  assert.deepEqual(await reported.counted(), ['mf-pricing 1.1.0 canary: 1']);
});

test('violations: other types, other pages and browser extensions do not count', async () => {
  await using reported = await startReported();
  const { file, violation } = reported;
  const sourceFile = file(canary);
  const reports = [
    violation({ sourceFile }, 'deprecation'),
    { type: 'csp-violation', body: { sourceFile } },
    { type: 'csp-violation' },
    violation({ sourceFile, documentURL: 'https://elsewhere.example/' }),
    violation({ sourceFile: elsewhere }),
    ...['chrome-extension', 'moz-extension', 'safari-web-extension'].flatMap((scheme) => [
      violation({ blockedURL: `${scheme}://abc/style.css` }),
      violation({ blockedURL: scheme }),
      violation({ blockedURL: 'inline', sourceFile: `${scheme}://abc/content.js` }),
      violation({ blockedURL: 'inline', sourceFile: scheme }),
    ]),
  ];
  assert.equal((await reported.send(reports)).status, 204);
  assert.deepEqual(await reported.counted(), []);
});

test('violations: the first hundred reports of a long batch count', async () => {
  await using reported = await startReported();
  const other = { type: 'other', body: { text: 'x'.repeat(1000) } };
  const violation = reported.violation({ sourceFile: reported.file(canary) });
  const batch = [...Array.from({ length: 99 }, () => other), violation, violation];
  assert.equal((await reported.send(batch)).status, 204);
  assert.equal((await reported.send([...Array.from({ length: 100 }, () => other), violation])).status, 204);
  assert.deepEqual(await reported.counted(), ['mf-pricing 1.1.0 canary: 1']);
});

test('violations: a network counts once within an hour for all versions of a part', async () => {
  await using reported = await startReported({ TRUSTED_PROXY_HOPS: '1' });
  const { file, violation } = reported;
  const batch = [canary, canary, live, '/mf-leads/1.0.0/exposed.js'].map((sourceFile) =>
    violation({ sourceFile: file(sourceFile) }),
  );
  for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'])
    await reported.send(batch, { 'x-forwarded-for': address });
  assert.deepEqual(await reported.counted(), ['mf-pricing 1.1.0 canary: 2', 'mf-leads other stable: 2']);
});

test('violations: a canary that was promoted counts as the stable version', async () => {
  await using reported = await startReported();
  await reported.page.name({ 'mf-pricing': { live: '1.1.0', previous: '3.0.0', canary: '4.0.0' } });
  const view = { part: 'mf-pricing', version: '4.0.0', group: 'canary', outcome: 'loaded' };
  // The service reads the page at most once per second.
  await until(
    async () => {
      await reported.post('/api/telemetry', { releaseId, parts: [view], vitals: [] });
      return reported.metrics();
    },
    (metrics) => metrics.includes('version="4.0.0"'),
  );
  await reported.send([reported.violation({ sourceFile: reported.file(canary) })]);
  assert.deepEqual(await reported.counted(), ['mf-pricing 1.1.0 stable: 1']);
});

test('violations: are stored beside the other counts, in the release that is live', async () => {
  await using reported = await startReported();
  await reported.send([reported.violation({ sourceFile: reported.file(canary) })]);
  await reported.stop();
  const { reports } = await readPageReports(reported.database.db, pageReportsQuery.parse({}));
  assert.deepEqual(
    reports.map(({ version, group, counts, ...report }) => [report.releaseId, version, group, counts]),
    [[releaseId, '1.1.0', 'canary', { violations: 1 }]],
  );
});

test('violations: a body that is invalid, foreign or too large is refused', async () => {
  await using reported = await startReported();
  for (const [what, body, headers, status] of [
    ['that is no JSON', '[', {}, 422],
    ['that is no report', {}, {}, 422],
    ['of more than 512 kB', [{ type: 'x'.repeat(530_000) }], {}, 413],
    ['of another type', [], { 'content-type': 'text/plain' }, 415],
    ['from another site', [], { origin: 'https://elsewhere.example' }, 403],
  ] as const) {
    assert.equal((await reported.send(body, headers)).status, status, what);
  }
});

test('violations: an IPv6 network has a rate limit of its own', async () => {
  await using reported = await startReported({ REPORTS_PER_NETWORK: '2', TRUSTED_PROXY_HOPS: '1' });
  const statuses = [];
  for (const host of [1, 2, 3]) {
    const headers = { 'x-forwarded-for': `2001:db8:0:7::${host}` };
    statuses.push((await reported.send([], headers)).status);
  }
  assert.deepEqual(statuses, [204, 204, 429]);
  const report = { releaseId, parts: [], vitals: [] };
  const headers = { 'x-forwarded-for': '2001:db8:0:7::4' };
  assert.equal((await reported.post('/api/telemetry', report, headers)).status, 204);
});
