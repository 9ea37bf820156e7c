import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RemoteRelease } from '@countersign/contracts/release-document';
import type { Change } from '../deploy/change.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { builtRemote } from '../testing/built-part.ts';
import { createSiteWithCanary, quickWatch } from '../testing/quick-watch.ts';
import { soundViews, startReportedViews, type AddedCounts } from '../testing/reported-views.ts';
import { startStubService } from '../testing/stub-service.ts';
import { sampleSite, type TemporaryStore } from '../testing/temporary-store.ts';
import { watchCanary, type WatchOptions } from './watch-canary.ts';

const part = 'mf-pricing';

interface Shares {
  /** Views of the canary and of the stable version that never settle. */
  readonly canaryHangs?: number;
  readonly stableHangs?: number;
  /** Shares of late views in each group. */
  readonly canaryLate?: number;
  readonly stableLate?: number;
  /** Views that begin with the canary. Its percentage corresponds to 20 of 200. */
  readonly canaryViews?: number;
  /** Share of the canary's views with a hydration mismatch. */
  readonly canaryMismatches?: number;
}

/** Each read adds 20 views of the canary. It fails in the given share of views. Each view has a network of its own. */
function growingReports(
  share: number,
  {
    canaryHangs = 0,
    stableHangs = 0,
    canaryLate = 0,
    stableLate = 0,
    canaryViews = 20,
    canaryMismatches = 0,
  }: Shares = {},
): () => AddedCounts {
  const begun = (views: number, hangs: number) => ({
    begun: views,
    settled: Math.round(views * (1 - hangs)),
    hungNetworks: Math.round(views * hangs),
  });
  const counts = (views: number, failed: number, late: number, mismatches: number) => ({
    views,
    ...{ 'failures.load': Math.round(views * failed), failuresNetworks: Math.round(views * failed) },
    ...{ late: Math.round(views * late), lateNetworks: Math.round(views * late) },
    ...{ mismatches: Math.round(views * mismatches), mismatchesNetworks: Math.round(views * mismatches) },
  });
  return () => ({
    canary: {
      ...counts(20, share, canaryLate, canaryMismatches),
      ...begun(canaryViews, canaryHangs),
    },
    stable: {
      ...counts(180, 0, stableLate, 0),
      ...begun(180, stableHangs),
    },
  });
}

/** Runs another command immediately before the watch commits. */
function commandBeforeCommit(site: TemporaryStore, command: () => Promise<unknown>): void {
  const { store } = site;
  const commit = store.commit.bind(store);
  store.commit = async (...state) => {
    store.commit = commit;
    await command();
    return await commit(...state);
  };
}

const remoteOf = async (site: TemporaryStore) => (await site.store.readLive())?.release.remotes['mf-pricing'];

async function watch(
  site: TemporaryStore,
  visit: (percent: number) => AddedCounts,
  options: Partial<WatchOptions> = {},
) {
  await using reports = await startReportedViews(site.store, visit);
  return await watchCanary(site.store, () => sampleSite, {
    ...quickWatch,
    reports: reports.source,
    stages: [],
    ...options,
  });
}

for (const [what, visit, reason] of [
  ['with more failures', growingReports(0.5), '30 of 60 views failed, 0 of 540 of 1.0.0'],
  [
    'that hangs 80 % of its tabs',
    growingReports(0, { canaryHangs: 0.8 }),
    '48 of 60 views hung, 0 of 540 of 1.0.0',
  ],
  [
    'that is late more often',
    growingReports(0, { canaryLate: 0.5 }),
    '30 of 60 views late, 0 of 540 of 1.0.0',
  ],
  [
    'whose markup does not hydrate',
    growingReports(0, { canaryMismatches: 0.5 }),
    '30 of 60 views rerendered, 0 of 540 of 1.0.0',
  ],
] as const) {
  test(`watch: a canary ${what} is rolled back, and the log has the reason`, async () => {
    await using site = await createSiteWithCanary(10);
    const { outcome, failed } = await watch(site, visit, { stages: [100] });
    assert.equal(outcome, 'rolled-back');
    // No other measure counts as failed.
    assert.equal(failed.canary.failures, reason.includes('failed') ? 30 : 0);
    const live = await site.store.readLive();
    assert.deepEqual(live?.release.remotes['mf-pricing']?.canary, undefined);
    assert.equal(live?.release.remotes['mf-pricing']?.live.version, '1.0.0');
    assert.deepEqual([live.entry.action, live.entry.why], ['rollback', reason]);
  });
}

for (const [what, visit, expected] of [
  ['late views in both groups', growingReports(0, { canaryLate: 0.3, stableLate: 0.3 }), 'promoted'],
  ['tabs closed early in both groups', growingReports(0, { canaryHangs: 0.3, stableHangs: 0.3 }), 'promoted'],
  ['no reports of begun loads', () => ({ canary: { views: 20 }, stable: { views: 180 } }), 'undecided'],
  ['a fifth of its share of the views', growingReports(0, { canaryViews: 4 }), 'mismatched'],
] as const) {
  test(`watch: a canary with ${what} is ${expected}`, async () => {
    await using site = await createSiteWithCanary(10);
    const { outcome } = await watch(site, visit, { stages: [100], timeout: 2_000 });
    assert.equal(outcome, expected);
    assert.equal((await remoteOf(site))?.canary?.percent, expected === 'promoted' ? undefined : 10);
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
      progress: () => (changed ??= site.change({ kind: 'canary', part, version, percent })),
    });
    await changed;
    assert.equal(outcome, 'ended');
    assert.equal((await remoteOf(site))?.canary?.percent, percent);
  });
}

test('watch: a canary that is not worse stays, or is promoted with --promote', async () => {
  await using site = await createSiteWithCanary(10);
  assert.equal((await watch(site, growingReports(0))).outcome, 'fine');
  assert.equal((await site.store.readLive())?.release.remotes['mf-pricing']?.canary?.percent, 10);
  assert.equal((await watch(site, growingReports(0), { stages: [100] })).outcome, 'promoted');
  const remote = (await site.store.readLive())?.release.remotes['mf-pricing'];
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
      commandBeforeCommit(site, async () => {
        await site.change(change);
        commanded = await remoteOf(site);
      });
      const { outcome } = await watch(site, growingReports(share), { stages });
      assert.equal(outcome, 'ended');
      assert.deepEqual(await remoteOf(site), commanded);
    });
  }
}

test('watch: a release of another part before its commit does not keep it from promoting', async () => {
  await using site = await createSiteWithCanary(10);
  await site.publish(builtRemote('mf-header', '1.0.0'));
  commandBeforeCommit(site, () => site.deploy({ 'mf-header': '1.0.0' }));
  const { outcome } = await watch(site, growingReports(0), { stages: [100] });
  assert.equal(outcome, 'promoted');
  assert.equal((await remoteOf(site))?.live.version, '1.1.0');
});

/** Each read adds sound views of both versions, half of them of the canary, and their leads. */
const withLeads = (canary: number, stable: number) => (): AddedCounts => ({
  canary: { ...soundViews(100), leads: canary },
  stable: { ...soundViews(100), leads: stable },
});

test('watch: a canary that brings no leads is rolled back, with and without a goal', async () => {
  for (const goal of ['leads', undefined] as const) {
    await using site = await createSiteWithCanary(50);
    const { outcome, because } = await watch(site, withLeads(0, 10), { goal, minimumViews: 10_000 });
    assert.deepEqual([outcome, because], ['rolled-back', 'leads']);
    const entry = (await site.store.readLive())?.entry;
    assert.equal(entry?.why, '0 leads in 200 views, 20 in 200 of 1.0.0');
  }
});

test('watch: with the goal of leads, a canary is promoted once it is proven to bring as many', async () => {
  await using site = await createSiteWithCanary(50);
  const { outcome, leads } = await watch(site, withLeads(20, 20), { goal: 'leads', stages: [100] });
  assert.equal(outcome, 'promoted');
  assert(leads.canary.leads + leads.stable.leads > 500, `after ${leads.canary.leads} leads of the canary`);
});

test('watch: a missing canary or unreadable reports are errors', async () => {
  await using site = await createSiteWithCanary(10);
  const refuses = (message: string) => (error: unknown) =>
    error instanceof ReleaseError && error.message.includes(message);
  await assert.rejects(
    watch(site, () => ({}), { reports: { url: 'http://127.0.0.1:9', token: '' } }),
    refuses('at http://127.0.0.1:9 cannot be read: it does not answer as expected. Set REPORTS_URL'),
  );
  await using reports = await startReportedViews(site.store, () => ({}));
  await assert.rejects(
    watch(site, () => ({}), { reports: { ...reports.source, token: 'wrong' } }),
    refuses('it refuses REPORTS_TOKEN'),
  );
  await using unreadable = await startStubService((_request, response) =>
    response.end(
      JSON.stringify({
        reports: [
          {
            ...{ beganAt: new Date().toISOString(), releaseId: 'other', part: 'mf-pricing' },
            ...{ version: 'other', group: 'canary', counts: { views: 9 } },
          },
        ],
      }),
    ),
  );
  await assert.rejects(
    watch(site, () => ({}), { reports: { url: unreadable.origin, token: '' } }),
    refuses('Set its LIVE_PAGE'),
  );
  await site.change({ kind: 'rollback', part: 'mf-pricing' });
  await assert.rejects(
    watch(site, () => ({})),
    refuses('mf-pricing has no canary.'),
  );
});

test('watch: goes on with the views before it, and reads again after an error', async () => {
  await using site = await createSiteWithCanary(10);
  await watch(site, growingReports(0), { minimumViews: 1_000, timeout: 5 });
  await using reports = await startReportedViews(site.store, growingReports(0.5));
  let reads = 0;
  await using failing = await startStubService((request, response) => {
    reads += 1;
    if (reads === 2) return void response.writeHead(503).end();
    void fetch(`${reports.source.url}${request.url}`, {
      headers: { authorization: request.headers.authorization ?? '' },
    }).then(async (answer) => response.end(await answer.text()));
  });
  const source = { ...reports.source, url: failing.origin };
  const { outcome } = await watch(site, () => ({}), { reports: source });
  assert.deepEqual([outcome, reads], ['rolled-back', 4]);
});
