import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import type { RemoteRelease } from '@countersign/contracts/release-document';
import type { Change } from '../deploy/change.ts';
import { freeze } from '../deploy/freeze.ts';
import { ReleaseStore } from '../store/release-store.ts';
import { builtRemote } from '../testing/built-part.ts';
import { interleave, isCommit } from '../testing/interleaved-store.ts';
import { startReportedViews, type AddedCounts } from '../testing/reported-views.ts';
import { startStubService } from '../testing/stub-service.ts';
import { releaseCommand, runRelease } from '../testing/run-release.ts';
import { createLiveSite, sampleSite, type TemporaryStore } from '../testing/temporary-store.ts';
import { watchCanary, type WatchOptions } from './watch-canary.ts';

const part = 'mf-pricing';

/** A store in which 1.1.0 of mf-pricing is a canary beside 1.0.0. */
async function createSiteWithCanary(percent: number): Promise<TemporaryStore> {
  const site = await createLiveSite({ shell: '1.0.0', [part]: '1.0.0' });
  await site.publish(builtRemote(part, '1.1.0'));
  await site.change({ kind: 'canary', part, version: '1.1.0', percent });
  return site;
}

/** Each read, of which the first only tells how many views are needed, adds 20 views of the canary, of which the given share fails, and their part of the other visitors. */
const growingReports = (share: number) => (): AddedCounts => ({
  canary: { views: 20, failed: 20 * share },
  stable: { views: 180 },
});

/** The site, with another command immediately before the first commit to it. */
const withCommand = (site: TemporaryStore, command: () => Promise<unknown>): TemporaryStore => ({
  ...site,
  store: new ReleaseStore(interleave(site.objects, 1, async () => void (await command()), isCommit).objects),
});

const remoteOf = async (site: TemporaryStore) => (await site.store.readLive())?.release.remotes['mf-pricing'];

async function watch(
  site: TemporaryStore,
  visit: (percent: number) => AddedCounts,
  options: Partial<WatchOptions> = {},
) {
  await using reports = await startReportedViews(site.store, visit);
  return await watchCanary(site.store, () => sampleSite, {
    part,
    reports: reports.source,
    stages: [],
    minimumViews: 50,
    ...{ loss: 100, without: ['leads', 'failed'] },
    interval: 1,
    timeout: 60_000,
    who: 'a test',
    approve: async () => [],
    stopping: new AbortController().signal,
    progress: () => undefined,
    raised: () => undefined,
    ...options,
  });
}

for (const [what, canary, stable, reason] of [
  ['fails more', { failed: 10 }, {}, '20 of 40 views failed, 0 of 360 of 1.0.0'],
  ['is slow more often', { slow: 10 }, {}, '20 of 40 views slow, 0 of 360 of 1.0.0'],
  ['loses leads', {}, { leads: 90 }, '0 leads in 40 views, 180 in 360 of 1.0.0'],
] as const) {
  test(`watch: a canary that ${what} is rolled back, and the history has the reason`, async () => {
    await using site = await createSiteWithCanary(10);
    const visit = () => ({ canary: { views: 20, ...canary }, stable: { views: 180, ...stable } });
    const { outcome } = await watch(site, visit, { stages: [100] });
    assert.equal(outcome, 'rolled-back');
    const live = await site.store.readLive();
    assert.equal(live?.release.remotes['mf-pricing']?.canary, undefined);
    assert.equal(live?.release.remotes['mf-pricing']?.live.version, '1.0.0');
    assert.deepEqual([live.entry.action, live.entry.why], ['rollback', reason]);
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
      progress: () => void (changed ??= site.change({ kind: 'canary', part, version, percent })),
    });
    await changed;
    assert.equal(outcome, 'ended');
    assert.equal((await remoteOf(site))?.canary?.percent, percent);
  });
}

test('watch: a canary that is not worse stays, or is promoted with --promote', async () => {
  await using site = await createSiteWithCanary(10);
  assert.equal((await watch(site, growingReports(0))).outcome, 'fine');
  assert.equal((await remoteOf(site))?.canary?.percent, 10);
  assert.equal((await watch(site, growingReports(0), { stages: [100] })).outcome, 'promoted');
  const remote = await remoteOf(site);
  assert.deepEqual(
    [remote?.live.version, remote?.previous?.version, remote?.canary],
    ['1.1.0', '1.0.0', undefined],
  );
});

for (const [what, change] of [
  ['a rollback', { kind: 'rollback', part }],
  ['another canary', { kind: 'canary', part, version: '1.2.0', percent: 10 }],
  ['another percentage', { kind: 'canary', part, version: '1.1.0', percent: 50 }],
  ['a promotion of the canary', { kind: 'promote', versions: { [part]: '1.1.0' } }],
  ['a promotion of another version', { kind: 'promote', versions: { [part]: '1.2.0' } }],
] satisfies readonly (readonly [string, Change])[]) {
  for (const [assessment, share, stages] of [
    ['promotion', 0, [100]],
    ['raise', 0, [25, 100]],
    ['rollback', 0.5, [100]],
  ] as const) {
    test(`watch: ${what} by another command wins over a ${assessment} that is about to commit`, async () => {
      await using site = await createSiteWithCanary(10);
      await site.publish(builtRemote(part, '1.2.0'));
      let commanded: RemoteRelease | undefined;
      const behind = withCommand(site, async () => {
        await site.change(change);
        commanded = await remoteOf(site);
      });
      const { outcome } = await watch(behind, growingReports(share), { stages });
      assert.equal(outcome, 'ended');
      assert.deepEqual(await remoteOf(site), commanded);
    });
  }
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

test('watch: a canary whose form is dead is never promoted, however long it takes to notice', async () => {
  await using site = await createSiteWithCanary(10);
  const visit = () => ({ canary: { views: 20 }, stable: { views: 180, leads: 5 } });
  const { outcome, because } = await watch(site, visit, { ...judged, stages: [100] });
  assert.deepEqual([outcome, because], ['rolled-back', 'leads']);
});

test('watch: a sound canary is promoted once a loss would have been noticed, which the history says', async () => {
  await using site = await createSiteWithCanary(10);
  const visit = () => ({ canary: { views: 200, leads: 6 }, stable: { views: 1_800, leads: 54 } });
  const lines: string[] = [];
  const progress = (line: string) => void lines.push(line);
  assert.equal((await watch(site, visit, { ...judged, progress, stages: [100] })).outcome, 'promoted');
  assert.match(
    lines[0] ?? '',
    /^by the last 7 days of 1\.0\.0: to notice ten times the failures: about 390 views; to notice a loss of all leads: about \d+ views$/,
  );
  const { why = '' } = (await site.store.readLive())?.entry ?? {};
  assert.match(
    why,
    /a loss of all leads would have been noticed; a loss of half of the leads would not have been noticed yet: about [\d,]+ views$/,
  );
});

test('watch: a page without leads stays undecided and says so; without leads, it is judged, and the history says that', async () => {
  await using site = await createSiteWithCanary(10);
  const visit = () => ({ canary: { views: 1_000 }, stable: { views: 9_000 } });
  const undecided = await watch(site, visit, { ...judged, stages: [100], timeout: 0 });
  assert.deepEqual([undecided.outcome, /brought no lead/.test(undecided.why)], ['undecided', true]);
  await watch(site, visit, { loss: 100, without: ['leads'], stages: [100] });
  assert.match((await site.store.readLive())?.entry.why ?? '', /judged without leads$/);
});

test('watch: a service that stops to answer is said at once, and is the reason at the end', async () => {
  await using site = await createSiteWithCanary(10);
  const reports = await startReportedViews(site.store, () => ({
    canary: { views: 1 },
    stable: { views: 9 },
  }));
  const stopping = new AbortController();
  const lines: string[] = [];
  const { outcome, why } = await watch(site, () => ({}), {
    reports: reports.source,
    stopping: stopping.signal,
    progress(line) {
      lines.push(line);
      if (lines.length === 2) void reports[Symbol.asyncDispose]();
      if (/cannot be read/.test(line)) stopping.abort();
    },
  });
  assert.deepEqual([outcome, why], ['undecided', lines.at(-1)]);
  assert.match(why, /^The lead service at \S+ cannot be read: it does not answer/);
});

test('watch: a start of the canary in the future of the service, and views of other releases only, are said', async () => {
  await using site = await createSiteWithCanary(10);
  await using past = await startStubService((_request, response) => {
    response.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString());
    response.end(JSON.stringify({ versions: [] }));
  });
  const source = { url: past.origin, token: '' };
  await assert.rejects(
    watch(site, () => ({}), { reports: source }),
    /^ReleaseError: .*wrong clock/,
  );
  const counts = { part, version: '1.0.0', group: 'stable', views: 9, failed: {}, slow: 0, leads: 0 };
  await using other = await startStubService((_request, response) => {
    response.end(JSON.stringify({ versions: [{ ...counts, releaseId: 'r-0123456789ab' }] }));
  });
  const { why } = await watch(site, () => ({}), { reports: { ...source, url: other.origin }, timeout: 0 });
  assert.match(why, /none of this release\. If that stays so, its LIVE_PAGE/);
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
  await site.change({ kind: 'rollback', part: 'mf-pricing' });
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
  await using reports = await startReportedViews(site.store, visit);
  let reads = 0;
  await using failing = await startStubService((request, response) => {
    reads += 1;
    if (reads === 5) return void response.writeHead(503).end();
    void fetch(`${reports.source.url}${request.url}`, {
      headers: { authorization: request.headers.authorization ?? '' },
    }).then(async (answer) => response.end(await answer.text()));
  });
  const options = { reports: { ...reports.source, url: failing.origin }, minimumViews: 1_000 };
  const first = await watch(site, () => ({}), { ...options, timeout: 0 });
  assert.deepEqual([first.outcome, reads], ['undecided', 2]);
  const { outcome } = await watch(site, () => ({}), options);
  assert.deepEqual([outcome, reads], ['rolled-back', 8]);
});

/** Between two reads come 1,000 visitors, of whom the live percentage gets the canary. */
const visitors =
  (failureRate: (percent: number) => number = () => 0) =>
  (percent: number): AddedCounts => ({
    canary: { views: 10 * percent, failed: 10 * percent * failureRate(percent) },
    stable: { views: 1_000 - 10 * percent },
  });

const stages = [5, 25, 100];

/** What the history has: the action, and the versions after it. */
async function history({ store }: TemporaryStore): Promise<readonly string[]> {
  const entries = await store.history();
  return entries.map(({ action, to }) => `${action}: ${to}`);
}

const canaryAt = (percent: number) => `canary: 1.0.0, 1.1.0 for ${percent} %`;

for (const [what, first, expected] of [
  ['from its first stage on', 5, [canaryAt(5), canaryAt(25), 'promote: 1.1.0']],
  ['from below the first stage on', 1, [canaryAt(1), canaryAt(5), canaryAt(25), 'promote: 1.1.0']],
  ['from between two stages on', 10, [canaryAt(10), canaryAt(25), 'promote: 1.1.0']],
  ['from above the last stage but one on', 60, [canaryAt(60), 'promote: 1.1.0']],
] as const) {
  test(`stages: a sound canary is raised and promoted, ${what}`, async () => {
    await using site = await createSiteWithCanary(first);
    const raised: number[] = [];
    const { outcome } = await watch(site, visitors(), {
      stages,
      raised: (percent) => void raised.push(percent),
    });
    assert.equal(outcome, 'promoted');
    assert.deepEqual((await history(site)).slice(1), expected);
    assert.deepEqual(
      raised,
      [5, 25].filter((stage) => stage > first),
    );
  });
}

test('stages: a canary that fails only with more visitors is rolled back at that stage', async () => {
  await using site = await createSiteWithCanary(5);
  const failing = visitors((percent) => (percent === 25 ? 0.2 : 0));
  const { outcome, percent, because } = await watch(site, failing, { stages });
  assert.deepEqual([outcome, percent, because], ['rolled-back', 25, 'failed']);
  assert.deepEqual((await history(site)).slice(1), [canaryAt(5), canaryAt(25), 'rollback: 1.0.0']);
});

test('stages: without enough views of a stage, the canary stays there', async () => {
  await using site = await createSiteWithCanary(5);
  const visit = (percent: number) => ({
    canary: { views: percent === 5 ? 100 : 40 },
    stable: { views: percent === 5 ? 1_900 : 120 },
  });
  const stopping = new AbortController();
  const { outcome, percent } = await watch(site, visit, {
    stages,
    stopping: stopping.signal,
    minimumViews: 100,
    raised: () => stopping.abort(),
  });
  assert.deepEqual([outcome, percent], ['undecided', 25]);
  assert.deepEqual((await history(site)).slice(1), [canaryAt(5), canaryAt(25)]);
});

test('stages: a watch that was killed goes on from the stage it had reached', async () => {
  await using site = await createSiteWithCanary(5);
  let isRestarted = false;
  await using reports = await startReportedViews(site.store, (percent) =>
    percent === 25 && !isRestarted ? {} : { canary: { views: 10 * percent }, stable: { views: 900 } },
  );
  const words = ['watch', part, '--stages', '5,25,100', '--views', '50', '--interval', '0.01'];
  words.push('--without', 'leads', 'failed');
  const { url, token } = reports.source;
  const environment = { ...site.environment, REPORTS_URL: url, REPORTS_TOKEN: token };
  const killed = spawn(process.execPath, [releaseCommand, ...words], { env: environment });
  for await (const printed of killed.stderr) {
    if (String(printed).includes('raised to 25 %')) killed.kill('SIGKILL');
  }
  assert.deepEqual((await history(site)).slice(1), [canaryAt(5), canaryAt(25)]);

  isRestarted = true;
  const { code, stdout } = await runRelease(words, environment);
  assert.match(stdout, /^mf-pricing 1\.1\.0 is live for everybody/);
  assert.equal(code, 0);
  assert.deepEqual((await history(site)).slice(1), [canaryAt(5), canaryAt(25), 'promote: 1.1.0']);
});

test('watch: a freeze stops the next stage, and a canary that is worse is rolled back in spite of it', async () => {
  await using site = await createSiteWithCanary(10);
  await freeze(site.store, part, new Date(Date.now() + 3_600_000).toISOString(), { who: 'page-team' });
  await assert.rejects(watch(site, growingReports(0), { stages: [50, 100] }), /mf-pricing is frozen until/);
  assert.equal((await remoteOf(site))?.canary?.percent, 10);
  assert.equal((await watch(site, growingReports(1))).outcome, 'rolled-back');
});
