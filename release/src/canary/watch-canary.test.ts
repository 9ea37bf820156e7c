import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RemoteState } from '@countersign/contracts/release-document';
import type { Change } from '../deploy/change.ts';
import { ReleaseStore } from '../store/release-store.ts';
import { builtRemote } from '../testing/built-part.ts';
import { compatibleRemote } from '../testing/compatible-part.ts';
import { interleave, isCommit } from '../testing/interleaved-store.ts';
import {
  createSiteWithCanary,
  growingReports,
  remoteOf,
  startReportedViews,
  watch,
} from '../testing/watched-site.ts';
import { startStubService } from '../testing/stub-service.ts';
import type { TemporaryStore } from '../testing/temporary-store.ts';

const part = 'mf-pricing';

/** The site, with another command immediately before the first commit to it. */
const withCommand = (site: TemporaryStore, command: () => Promise<unknown>): TemporaryStore => ({
  ...site,
  store: new ReleaseStore(interleave(site.objects, 1, async () => void (await command()), isCommit).objects),
});

for (const [what, canary, stable, reason] of [
  ['fails more', { failed: 10 }, {}, '30 of 60 views failed, 0 of 540 of 1.0.0'],
  ['is slow more often', { slow: 10 }, {}, '30 of 60 views slow, 0 of 540 of 1.0.0'],
  ['loses leads', {}, { leads: 90 }, '0 leads in 60 views, 270 in 540 of 1.0.0'],
] as const) {
  test(`watch: a canary that ${what} is rolled back, and the history has the reason`, async () => {
    await using site = await createSiteWithCanary(10);
    const visit = () => ({ canary: { views: 20, ...canary }, stable: { views: 180, ...stable } });
    const { outcome } = await watch(site, visit, { stages: [100] });
    assert.equal(outcome, 'rolled-back');
    const liveState = await site.store.liveStore.read();
    assert.equal(liveState?.release.remotes['mf-pricing']?.canary, undefined);
    assert.equal(liveState?.release.remotes['mf-pricing']?.live.version, '1.0.0');
    assert.deepEqual([liveState.historyEntry.action, liveState.historyEntry.why], ['rollback', reason]);
  });
}

for (const [what, version, percent] of [
  ['another canary', '1.2.0', 5],
  ['another percentage', '1.1.0', 50],
] as const) {
  test(`watch: ${what} between two reads ends it, and stays`, async () => {
    await using site = await createSiteWithCanary(10);
    await site.publish(builtRemote(part, '1.2.0'));
    let changed: Promise<unknown> | undefined;
    const { outcome } = await watch(site, () => ({}), {
      progress: () =>
        void (changed ??= site.change({ kind: 'canary', versions: { [part]: version }, percent })),
    });
    await changed;
    assert.equal(outcome, 'ended');
    assert.equal((await remoteOf(site))?.canary?.percent, percent);
  });
}

const anotherCanary = { kind: 'canary', versions: { [part]: '1.2.0' }, percent: 10 } as const;
const promotion = { kind: 'promote', versions: { [part]: '1.1.0' } } as const;

// Each command, and each of the three changes that a watch makes.
for (const [what, change, assessment, share, stages] of [
  ['a rollback', { kind: 'rollback', versions: { [part]: undefined } }, 'promotion', 0, [100]],
  ['another canary', anotherCanary, 'promotion', 0, [100]],
  ['a promotion of the canary', promotion, 'raise', 0, [25, 100]],
  [
    'another percentage',
    { ...anotherCanary, versions: { [part]: '1.1.0' }, percent: 50 },
    'raise',
    0,
    [25, 100],
  ],
  ['a promotion of another version', { ...promotion, versions: { [part]: '1.2.0' } }, 'rollback', 0.5, [100]],
  ['another canary', anotherCanary, 'rollback', 0.5, [100]],
  ['a rollback', { kind: 'rollback', versions: { [part]: undefined } }, 'rollback', 0.5, [100]],
] satisfies readonly (readonly [string, Change, string, number, readonly number[]])[]) {
  test(`watch: ${what} by another command wins over a pending ${assessment}`, async () => {
    await using site = await createSiteWithCanary(10);
    await site.publish(builtRemote(part, '1.2.0'));
    let commanded: RemoteState | undefined;
    const behind = withCommand(site, async () => {
      await site.change(change);
      commanded = await remoteOf(site);
    });
    const { outcome } = await watch(behind, growingReports(share), { stages });
    assert.equal(outcome, 'ended');
    assert.deepEqual(await remoteOf(site), commanded);
  });
}

test('watch: a release of another part before its commit does not keep it from promoting', async () => {
  await using site = await createSiteWithCanary(10);
  await site.publish(builtRemote('mf-header', '1.0.0'));
  const behind = withCommand(site, () => site.deploy({ 'mf-header': '1.0.0' }));
  const { outcome } = await watch(behind, growingReports(0), { stages: [100] });
  assert.equal(outcome, 'promoted');
  assert.equal((await remoteOf(site))?.live.version, '1.1.0');
});

const judged = { loss: 100, without: [] };

test('watch: a canary with a dead form is never promoted, however late that shows', async () => {
  await using site = await createSiteWithCanary(10);
  const visit = () => ({ canary: { views: 20 }, stable: { views: 180, leads: 5 } });
  const { outcome, because } = await watch(site, visit, { ...judged, stages: [100] });
  assert.deepEqual([outcome, because], ['rolled-back', 'leads']);
});

test('watch: a sound canary is promoted once a loss would have been noticed, as recorded', async () => {
  await using site = await createSiteWithCanary(10);
  const visit = () => ({ canary: { views: 200, leads: 6 }, stable: { views: 1_800, leads: 54 } });
  const lines: string[] = [];
  const progress = (line: string) => void lines.push(line);
  assert.equal((await watch(site, visit, { ...judged, progress, stages: [100] })).outcome, 'promoted');
  assert.match(
    lines[0] ?? '',
    /^by the last 7 days of 1\.0\.0: to notice ten times the failures: about 390 views; to notice a loss of all leads: about \d+ views$/,
  );
  const { why = '' } = (await site.store.liveStore.read())?.historyEntry ?? {};
  assert.match(
    why,
    /a loss of all leads would have been noticed; a loss of half of the leads would not have been noticed yet: about [\d,]+ views$/,
  );
});

test('watch: a page without leads stays undecided; with --without leads, it is judged, as recorded', async () => {
  await using site = await createSiteWithCanary(10);
  const visit = () => ({ canary: { views: 1_000 }, stable: { views: 9_000 } });
  const undecided = await watch(site, visit, { ...judged, stages: [100], timeout: 0 });
  assert.deepEqual([undecided.outcome, /brought no lead/.test(undecided.why)], ['undecided', true]);
  await watch(site, visit, { loss: 100, without: ['leads'], stages: [100] });
  assert.match((await site.store.liveStore.read())?.historyEntry.why ?? '', /judged without leads$/);
});

for (const [what, answer, reason] of [
  ['failure of the service', undefined, /^The lead service at \S+ cannot be read: it answered 503\.$/],
  [
    'lack of views of the release',
    'r-0123456789ab',
    /none of this release\. If that stays so, its LIVE_PAGE/,
  ],
] as const) {
  test(`watch: an unchanged ${what} is printed once, again when it returns, and is the reason at the end`, async () => {
    await using site = await createSiteWithCanary(10);
    const stopping = new AbortController();
    let reads = 0;
    await using service = await startStubService((_request, response) => {
      reads += 1;
      if (reads === 12) stopping.abort();
      // The first two reads only try the service and tell how many views are needed.
      const isSeen = reads <= 2 || reads === 7;
      if (!isSeen && answer === undefined) return void response.writeHead(503).end();
      const counts = { part, version: '1.0.0', group: 'stable', views: 9, failed: {}, slow: 0, leads: 0 };
      const versions = isSeen ? [] : [{ ...counts, releaseId: answer }];
      response.end(JSON.stringify({ versions }));
    });
    const lines: string[] = [];
    const { outcome, why } = await watch(site, () => ({}), {
      reports: { url: service.origin, token: '' },
      stopping: stopping.signal,
      progress: (line) => void lines.push(line),
    });
    assert.equal(lines.filter((line) => reason.test(line)).length, 2, lines.join('\n'));
    assert.equal(outcome, 'undecided');
    assert.match(why, reason);
  });
}

test('watch: a canary dated ahead of the service is watched after another percentage', async (context) => {
  const now = Date.now();
  context.mock.timers.enable({ apis: ['Date'], now: now + 3_600_000 });
  await using site = await createSiteWithCanary(10);
  context.mock.timers.setTime(now);
  await assert.rejects(
    watch(site, growingReports(0)),
    /^ReleaseError: .*its clock is behind the start of the canary\. .* then set another percentage/,
  );
  await site.change({ kind: 'canary', versions: { [part]: '1.1.0' }, percent: 20 });
  assert.equal((await watch(site, growingReports(0))).outcome, 'fine');
});

test('watch: a missing canary or unreadable reports are errors', async () => {
  await using site = await createSiteWithCanary(10);
  await assert.rejects(
    watch(site, () => ({}), { reports: { url: 'http://127.0.0.1:9', token: '' } }),
    /^ReleaseError: .* at http:\S+:9 cannot be read: it does not answer as expected\. Set REPORTS_URL/,
  );
  await using reports = await startReportedViews(site.store, () => ({}));
  await assert.rejects(
    watch(site, () => ({}), { reports: { ...reports.source, token: 'wrong' } }),
    /^ReleaseError: .*it refuses REPORTS_TOKEN/,
  );
  const counts = { group: 'canary', views: 9, failed: {}, slow: 0, leads: 0 };
  const unknown = { ...counts, releaseId: 'other', part: 'mf-pricing', version: 'other' };
  await using unreadable = await startStubService((_request, response) =>
    response.end(JSON.stringify({ versions: [unknown] })),
  );
  await assert.rejects(
    watch(site, () => ({}), { reports: { url: unreadable.origin, token: '' } }),
    /^ReleaseError: .*Set its LIVE_PAGE/,
  );
  await site.change({ kind: 'rollback', versions: { 'mf-pricing': undefined } });
  await assert.rejects(
    watch(site, () => ({})),
    /^ReleaseError: mf-pricing has no canary\./,
  );
});

test('watch: counts the views of a watch before it, and reads again after an error', async () => {
  await using site = await createSiteWithCanary(10);
  // Every other read adds one failed view. Four of them, and none of the stable version, make the canary worse.
  let turn = 0;
  const visit = () => growingReports(((turn += 1) % 2) / 20)();
  let reads = 0;
  await using reports = await startReportedViews(site.store, visit, () => (reads += 1) === 6);
  const options = { reports: reports.source, minimumViews: 1_000 };
  const first = await watch(site, () => ({}), { ...options, timeout: 0 });
  assert.deepEqual([first.outcome, reads], ['undecided', 3]);
  const { outcome } = await watch(site, () => ({}), options);
  assert.deepEqual([outcome, reads], ['rolled-back', 8]);
});

for (const [what, share, outcome, live, unknown] of [
  ['fails in one part is rolled back', 0.5, 'rolled-back', '1.0.0', ''],
  [
    'fails in one part, while the other cannot be read, is rolled back',
    0.5,
    'rolled-back',
    '1.0.0',
    'mf-leads',
  ],
  ['is sound is promoted', 0, 'promoted', '1.1.0', ''],
] as const) {
  test(`watch: a canary of two parts that ${what} as one`, async () => {
    await using site = await createSiteWithCanary(10);
    await site.change({ kind: 'rollback', versions: { [part]: undefined } });
    await site.publish(...['1.0.0', '1.1.0'].map((version) => compatibleRemote('mf-leads', version)));
    await site.deploy({ 'mf-leads': '1.0.0' });
    const versions = { [part]: '1.1.0', 'mf-leads': '1.1.0' };
    await site.change({ kind: 'canary', versions, percent: 10 });
    let reads = 0;
    // A watch begins only if all can be read.
    const visit = () => ({ ...growingReports(share)(), unknown: (reads += 1) > 2 ? unknown : '' });
    const lines: string[] = [];
    const progress = (line: string) => void lines.push(line);
    const options = { part: 'mf-leads', stages: [100], progress } as const;
    assert.equal((await watch(site, visit, options)).outcome, outcome);
    const isUnread = (line: string) => line.includes('does not know the live versions');
    assert.equal(lines.filter(isUnread).length, unknown === '' ? 0 : 1, lines.join('\n'));
    const { historyEntry, release } = await site.store.liveStore.require();
    assert.deepEqual(historyEntry.parts, ['mf-pricing', 'mf-leads']);
    for (const { live: shown, canary } of Object.values(release.remotes))
      assert.deepEqual([shown.version, canary], [live, undefined]);
  });
}
