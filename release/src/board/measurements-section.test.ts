import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageReportCounts } from '@countersign/contracts/page-reports';
import { partNames } from '@countersign/contracts/remotes';
import { JSDOM } from 'jsdom';
import type { OwnerNames } from '../access/owners.ts';
import { deployRelease } from '../deploy/deploy-release.ts';
import { builtRemote } from '../testing/built-part.ts';
import { startStubService } from '../testing/stub-service.ts';
import { createLiveSite, sampleSite, type TemporaryStore } from '../testing/temporary-store.ts';
import { composeBoard } from './compose-board.ts';
import { boardKey, writeBoard } from './write-board.ts';

const anybody = Object.fromEntries(partNames.map((part) => [part, ['*']])) as OwnerNames;
const hostile = `<img src=x onerror="alert('1')">\u202e</style>`;
const createSite = () => createLiveSite({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
const textOf = (element: Element | null | undefined) => element?.textContent?.replaceAll(/\s+/g, ' ').trim();

/** What visitors reported on a day. */
function reported(daysAgo: number, counts: PageReportCounts['counts'], more: Partial<PageReportCounts> = {}) {
  const day = new Date(Date.now() - daysAgo * 24 * 60 * 60_000).toISOString().slice(0, 10);
  const beganAt = `${day}T00:00:00.000Z`;
  const version = { releaseId: 'r-0123456789ab', part: 'mf-pricing', version: '1.0.0', group: 'stable' };
  return { beganAt, ...version, ...more, counts };
}

/** Writes the board with these reports, and returns it with the query of the lead service. */
async function boardWith({ store }: Pick<TemporaryStore, 'store'>, reports: readonly object[]) {
  const queries: (string | undefined)[] = [];
  await using service = await startStubService((request, response) => {
    queries.push(request.url);
    response.end(JSON.stringify({ reports }));
  });
  const state = await writeBoard(store, anybody, { url: service.origin, token: '' });
  const board = new TextDecoder().decode((await store.objects.read(boardKey))?.bytes);
  return { state, board, document: new JSDOM(board).window.document, queries };
}

const rowsOf = (document: Document, label: string) =>
  [...document.querySelectorAll(`table[aria-label="${label}"] tr`)].map((row) =>
    [...row.children].map(textOf).join(' ').trim(),
  );
const chartsOf = (document: Document, part: string) =>
  [...document.querySelectorAll('svg[role="img"]')]
    .map((chart) => chart.getAttribute('aria-label') ?? '')
    .filter((label) => label.includes(` of ${part} `));

test('release board: leads, failures and percentiles of 14 days are charts, and tables by version and day', async () => {
  await using site = await createSite();
  await site.release({ 'mf-pricing': '1.1.0' });
  const { document, queries } = await boardWith(site, [
    reported(13, { views: 1_000, leads: 30, 'failures.load': 4, 'failures.render': 1, 'loads.0.5': 1_000 }),
    reported(0, { views: 500, leads: 5, late: 10, 'loads.0.5': 400 }, { version: '1.1.0', group: 'canary' }),
    reported(0, { 'INP.0.2': 75, 'INP.0.3': 25 }, { version: '1.1.0' }),
  ]);
  const [query] = queries;
  assert.match(query ?? '', /\?since=\d{4}-\d\d-\d\dT00%3A00%3A00.000Z&period=day$/);
  assert.deepEqual(chartsOf(document, 'mf-pricing'), [
    'Leads per view of mf-pricing over 14 days: 2.3 %',
    'Failed views of mf-pricing over 14 days: 1.1.0 0 %; 1.0.0 0.50 %',
    'Interaction to next paint, p75 of mf-pricing over 14 days: 200 ms',
    'Load time, p75 of mf-pricing over 14 days: 450 ms',
  ]);
  assert.deepEqual(rowsOf(document, 'Figures of mf-pricing by version'), [
    'Views Leads Leads per view Failed views Failed: load Failed: render Late views INP, p75 Load time, p75',
    '1.1.0 live 500 5 1.0 % 0.43–2.3 % 0 % 0–0.76 % 0 % 0–0.76 % 0 % 0–0.76 % 2.0 % 1.1–3.6 % 200 ms 188–230 ms 450 ms 441–458 ms',
    '1.0.0 before 1,000 30 3.0 % 2.1–4.3 % 0.50 % 0.21–1.2 % 0.40 % 0.16–1.0 % 0.10 % 0.018–0.56 % 0 % 0–0.38 % – 450 ms 444–455 ms',
  ]);
  const days = rowsOf(document, 'Figures of mf-pricing by day');
  assert.equal(days.length, 15);
  assert.match(days[1] ?? '', /^\d+ \w+ changes 1–2 500 5 1\.0 %/);
  assert.match(days[2] ?? '', /^\d+ \w+ 0 0 – – – /);
  assert.match(days[14] ?? '', /^\d+ \w+ 1,000 30 3\.0 %/);
});

test('release board: the page has the failures and leads of the shell, by release', async () => {
  await using site = await createSite();
  const page = { part: 'page', version: 'r-0123456789ab' };
  const { document } = await boardWith(site, [
    reported(1, { 'TTFB.0.1': 300, 'TTFB.longer': 100, 'CLS.0.1': 400 }, page),
    reported(1, { leads: 8, 'failures.render': 2 }, { part: 'shell' }),
  ]);
  const [, release] = rowsOf(document, 'Figures of page by version');
  assert.match(release ?? '', /^r-0123456789ab earlier 400 8 2\.0 % 1\.0–3\.9 % 0\.50 % /);
  assert.equal(chartsOf(document, 'page').length, 4);
  const tiles = [...document.querySelectorAll('.tiles > div')].map(textOf);
  assert.equal(tiles[2], 'Leads per page view, 14 days 2.0 % 95 % interval 1.0–3.9 %');
});

test('release board: a release is a labelled mark on the charts of its part', async () => {
  await using site = await createSite();
  await site.publish(builtRemote('mf-pricing', '1.1.0'));
  await site.change({ kind: 'canary', part: 'mf-pricing', version: '1.1.0', percent: 10 });
  const views = { views: 10 };
  const { state, document } = await boardWith(site, [
    reported(2, views),
    reported(2, views, { part: 'mf-header' }),
  ]);
  const chart = document.querySelector('svg[aria-label^="Leads per view of mf-pricing"]');
  assert.equal(chart?.querySelectorAll('.mark').length, 1);
  assert.ok([...(chart?.querySelectorAll('text') ?? [])].some((text) => text.textContent === '1–2'));
  const changes = [...document.querySelectorAll('ol[aria-label="Changes of mf-pricing"] li')].map(textOf);
  assert.match(changes[0] ?? '', /^Promoted shell 1\.0\.0, mf-pricing 1\.0\.0 \d+ \w+ \d{4}, \d\d:\d\d UTC$/);
  assert.match(changes[1] ?? '', /^Canary mf-pricing 1\.0\.0, 1\.1\.0 for 10 %/);
  assert.equal(document.querySelector('svg[aria-label^="Leads per view of mf-header"] .mark'), null);
  assert.doesNotMatch(textOf(document.querySelector('#measurements')) ?? '', /the latest/);
  const cut = composeBoard({ ...(state ?? assert.fail()), changes: 500 });
  assert.match(
    textOf(new JSDOM(cut).window.document.body) ?? '',
    /Vertical lines are the latest 2 changes of the page/,
  );
});

test('release board: unknown measures and versions are shown, and all text is escaped', async () => {
  await using site = await createSite();
  const promotion = { kind: 'promote', versions: { 'mf-pricing': '1.0.0' } } as const;
  await deployRelease(site.store, promotion, () => sampleSite, { who: hostile, why: hostile });
  const { document, board } = await boardWith(site, [
    reported(0, { views: 100, violations: 20, 'failures.policy': 4, 'LoAF.0.2': 9 }, { version: hostile }),
    reported(0, { [hostile]: 1, constructor: 2, 'failures.constructor': 1 }, { version: 'other' }),
  ]);
  const [heads, hostileRow] = rowsOf(document, 'Figures of mf-pricing by version');
  assert.match(
    heads ?? '',
    /constructor Failed: constructor Failed: policy Networks with policy violations, per view LoAF, p75$/,
  );
  assert.match(hostileRow ?? '', /^<img src=x onerror="alert\('1'\)">.* 100 0 .* 20 % /);
  assert.equal(document.querySelectorAll('img, script, [style], [onerror]').length, 0);
  assert.doesNotMatch(board, /\u202e/);
});

test('release board: without reports, and without an answer of the lead service, it is whole', async () => {
  await using site = await createSite();
  const { document } = await boardWith(site, []);
  const cards = [...document.querySelectorAll('#measurements article')].map(textOf);
  assert.equal(cards.length, partNames.length);
  for (const card of cards) assert.match(card ?? '', / No reports in these days\.$/);

  const warnings: string[] = [];
  const away = { url: 'http://127.0.0.1:9', token: 'secret' };
  const state = await writeBoard(site.store, anybody, away, (message) => warnings.push(message));
  assert.equal(state?.measurements, undefined);
  assert.match(
    warnings.join(),
    /^The lead service at http:\/\/127\.0\.0\.1:9 cannot be read: it does not answer/,
  );
});

test('release board: of many versions it shows the latest', async () => {
  await using site = await createSite();
  const versions = Array.from({ length: 300 }, (_, number) => `0.0.${number}`);
  const { document } = await boardWith(
    site,
    versions.map((version, number) => reported(13 - Math.floor(number / 25), { views: 9 }, { version })),
  );
  const shown = rowsOf(document, 'Figures of mf-pricing by version');
  assert.equal(shown.length, 13);
  assert.match(shown[1] ?? '', /^0\.0\.2\d\d earlier/);
  assert.match(textOf(document.querySelector('#measurements')) ?? '', /and 288 earlier versions/);
});
