import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RemoteRelease } from '@countersign/contracts/release-document';
import type { Change } from '../deploy/change.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { builtRemote, builtShell } from '../testing/built-part.ts';
import { quickWatch } from '../testing/quick-watch.ts';
import { soundViews, startReportedViews, type AddedCounts } from '../testing/reported-views.ts';
import { startStubService } from '../testing/stub-service.ts';
import { createTemporaryStore, sampleSite, type TemporaryStore } from '../testing/temporary-store.ts';
import { watchCanary, type WatchOptions } from './watch-canary.ts';

/** A store with a canary of mf-pricing for 10 % of visitors. */
async function createSiteWithCanary(): Promise<TemporaryStore> {
  const site = await createTemporaryStore();
  await site.publish(
    builtShell('1.0.0'),
    builtRemote('mf-pricing', '1.0.0'),
    builtRemote('mf-pricing', '1.1.0'),
  );
  await site.deploy({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  await site.change({ kind: 'canary', part: 'mf-pricing', version: '1.1.0', percent: 10 });
  return site;
}

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
    canary: { ...counts(20, share, canaryLate, canaryMismatches), ...begun(canaryViews, canaryHangs) },
    stable: { ...counts(180, 0, stableLate, 0), ...begun(180, stableHangs) },
  });
}

/** The first read adds 211 views of the canary, some of which fail, and 1,890 sound ones of the stable version. */
function oneIncrease(failures: number, networks: number): () => AddedCounts {
  let isFirst = true;
  return () => {
    if (!isFirst) return {};
    isFirst = false;
    return {
      canary: { ...soundViews(211, failures), failuresNetworks: networks },
      stable: soundViews(1890),
    };
  };
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

test('watch: a canary with more failures is rolled back, and the log has the reason', async () => {
  await using site = await createSiteWithCanary();
  const { outcome } = await watch(site, growingReports(0.5));
  assert.equal(outcome, 'rolled-back');
  const live = await site.store.readLive();
  assert.equal(live?.release.remotes['mf-pricing']?.canary, undefined);
  assert.equal(live?.release.remotes['mf-pricing']?.live.version, '1.0.0');
  assert.equal(live.entry.action, 'rollback');
  assert.equal(live.entry.why, '30 of 60 views failed, 0 of 540 of 1.0.0');
});

for (const [what, failures, networks, expected] of [
  ['one failed view of 211 does not stop a promotion', 1, 1, 'promoted'],
  ['four failed views of 211 are too few for a rollback, and too many for a promotion', 4, 4, 'undecided'],
  ['failures of one network alone decide nothing', 200, 1, 'undecided'],
  ['five failed views of 211 from five networks end the canary', 5, 5, 'rolled-back'],
] as const) {
  test(`watch: ${what}`, async () => {
    await using site = await createSiteWithCanary();
    const { outcome } = await watch(site, oneIncrease(failures, networks), {
      stages: [100],
      minimumViews: 200,
      timeout: 500,
    });
    assert.equal(outcome, expected);
  });
}

test('watch: a canary that is not worse stays, or is promoted with --promote', async () => {
  await using site = await createSiteWithCanary();
  assert.equal((await watch(site, growingReports(0))).outcome, 'fine');
  assert.equal((await site.store.readLive())?.release.remotes['mf-pricing']?.canary?.percent, 10);
  assert.equal((await watch(site, growingReports(0), { stages: [100] })).outcome, 'promoted');
  const remote = (await site.store.readLive())?.release.remotes['mf-pricing'];
  assert.deepEqual(
    [remote?.live.version, remote?.previous?.version, remote?.canary],
    ['1.1.0', '1.0.0', undefined],
  );
});

test('watch: a canary that another command ends stays ended', async () => {
  await using site = await createSiteWithCanary();
  await site.publish(builtRemote('mf-pricing', '1.2.0'));
  let replaced: Promise<unknown> | undefined;
  const { outcome } = await watch(site, () => ({}), {
    progress: () =>
      (replaced ??= site.change({ kind: 'canary', part: 'mf-pricing', version: '1.2.0', percent: 5 })),
  });
  await replaced;
  assert.equal(outcome, 'ended');
  assert.equal((await site.store.readLive())?.release.remotes['mf-pricing']?.canary?.percent, 5);
});

const part = 'mf-pricing';
for (const [what, changes] of [
  ['a rollback', [{ kind: 'rollback', part }]],
  ['another canary', [{ kind: 'canary', part, version: '1.2.0', percent: 10 }]],
  ['another percentage', [{ kind: 'canary', part, version: '1.1.0', percent: 50 }]],
  ['a promotion of the canary', [{ kind: 'promote', versions: { [part]: '1.1.0' } }]],
  ['a promotion of another version', [{ kind: 'promote', versions: { [part]: '1.2.0' } }]],
] satisfies readonly (readonly [string, readonly Change[]])[]) {
  for (const [assessment, share] of [
    ['promotion', 0],
    ['rollback', 0.5],
  ] as const) {
    test(`watch: ${what} by another command wins over a ${assessment} that is about to commit`, async () => {
      await using site = await createSiteWithCanary();
      await site.publish(builtRemote(part, '1.2.0'));
      let commanded: RemoteRelease | undefined;
      commandBeforeCommit(site, async () => {
        for (const change of changes) await site.change(change);
        commanded = await remoteOf(site);
      });
      const { outcome } = await watch(site, growingReports(share), { stages: [100] });
      assert.equal(outcome, 'ended');
      assert.deepEqual(await remoteOf(site), commanded);
    });
  }
}

test('watch: a version that hangs 80 % of its tabs is rolled back', async () => {
  await using site = await createSiteWithCanary();
  const { outcome } = await watch(site, growingReports(0, { canaryHangs: 0.8 }), { stages: [100] });
  assert.equal(outcome, 'rolled-back');
  assert.equal((await remoteOf(site))?.canary, undefined);
  assert.equal((await site.store.readLive())?.entry.why, '48 of 60 views hung, 0 of 540 of 1.0.0');
});

test('watch: a version that is late more often is rolled back, and late is not failed', async () => {
  await using site = await createSiteWithCanary();
  const { outcome, failed } = await watch(site, growingReports(0, { canaryLate: 0.5 }), { stages: [100] });
  assert.equal(outcome, 'rolled-back');
  assert.equal(failed.canary.failures, 0);
  assert.equal((await site.store.readLive())?.entry.why, '30 of 60 views late, 0 of 540 of 1.0.0');
});

test('watch: a version whose markup does not hydrate is rolled back, and that is not failed', async () => {
  await using site = await createSiteWithCanary();
  const { outcome, failed } = await watch(site, growingReports(0, { canaryMismatches: 0.5 }), {
    stages: [100],
  });
  assert.equal(outcome, 'rolled-back');
  assert.equal(failed.canary.failures, 0);
  assert.equal((await site.store.readLive())?.entry.why, '30 of 60 views rerendered, 0 of 540 of 1.0.0');
});

test('watch: late views in both groups count against neither', async () => {
  await using site = await createSiteWithCanary();
  const slow = { canaryLate: 0.3, stableLate: 0.3 };
  assert.equal((await watch(site, growingReports(0, slow), { stages: [100] })).outcome, 'promoted');
});

test('watch: tabs closed early in both groups count against neither', async () => {
  await using site = await createSiteWithCanary();
  const closed = { canaryHangs: 0.3, stableHangs: 0.3 };
  assert.equal((await watch(site, growingReports(0, closed), { stages: [100] })).outcome, 'promoted');
});

test('watch: without reports of begun loads nothing is promoted', async () => {
  await using site = await createSiteWithCanary();
  const withoutBegun = () => ({ canary: { views: 20 }, stable: { views: 180 } });
  const { outcome } = await watch(site, withoutBegun, { stages: [100], timeout: 2_000 });
  assert.equal(outcome, 'undecided');
});

test('watch: a canary with a fifth of its share of the views is not promoted', async () => {
  await using site = await createSiteWithCanary();
  const { outcome } = await watch(site, growingReports(0, { canaryViews: 4 }), {
    stages: [100],
    timeout: 2_000,
  });
  assert.equal(outcome, 'mismatched');
  assert.equal((await remoteOf(site))?.canary?.percent, 10);
});

test('watch: a release of another part before its commit does not keep it from promoting', async () => {
  await using site = await createSiteWithCanary();
  await site.publish(builtRemote('mf-header', '1.0.0'));
  commandBeforeCommit(site, () => site.deploy({ 'mf-header': '1.0.0' }));
  const { outcome } = await watch(site, growingReports(0), { stages: [100] });
  assert.equal(outcome, 'promoted');
  assert.equal((await remoteOf(site))?.live.version, '1.1.0');
});

test('watch: a changed percentage between two reads ends it', async () => {
  await using site = await createSiteWithCanary();
  let changed: Promise<unknown> | undefined;
  const { outcome } = await watch(site, () => ({}), {
    progress: () => (changed ??= site.change({ kind: 'canary', part, version: '1.1.0', percent: 50 })),
  });
  await changed;
  assert.equal(outcome, 'ended');
});

test('watch: a canary with too few views is not assessed', async () => {
  await using site = await createSiteWithCanary();
  assert.equal((await watch(site, () => ({}), { timeout: 5 })).outcome, 'undecided');
  assert.equal((await site.store.readLive())?.release.remotes['mf-pricing']?.canary?.percent, 10);
});

test('watch: a missing canary or unreadable reports are errors', async () => {
  await using site = await createSiteWithCanary();
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
  await using site = await createSiteWithCanary();
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
