import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeze } from '../deploy/freeze.ts';
import { RefusedRelease, ReleaseError, UndecidedCheck } from '../platform/release-error.ts';
import { UncertainWrite } from '../store/object-store.ts';
import { ReleaseStore } from '../store/release-store.ts';
import { intercept, isCommit } from '../testing/interleaved-store.ts';
import {
  canaryAt,
  recordedChanges,
  createSiteWithCanary,
  growingReports,
  passTime,
  remoteOf,
  startReportedViews,
  visitors,
  watch,
} from '../testing/watched-site.ts';

const part = 'mf-pricing';

const stages = [5, 25, 100];

for (const [what, first, expected] of [
  ['from its first stage on', 5, [canaryAt(5), canaryAt(25), 'promote: 1.1.0']],
  ['from below the first stage on', 1, [canaryAt(1), canaryAt(5), canaryAt(25), 'promote: 1.1.0']],
  ['from between two stages on', 10, [canaryAt(10), canaryAt(25), 'promote: 1.1.0']],
  ['from above the last stage but one on', 60, [canaryAt(60), 'promote: 1.1.0']],
] as const) {
  test(`stages: a sound canary is raised and promoted, ${what}`, async () => {
    await using site = await createSiteWithCanary(first);
    const { outcome } = await watch(site, visitors(), { stages });
    assert.equal(outcome, 'promoted');
    assert.deepEqual((await recordedChanges(site)).slice(1), expected);
  });
}

test('stages: a canary that fails only with more visitors is rolled back at that stage', async () => {
  await using site = await createSiteWithCanary(5);
  const failing = visitors((percent) => (percent === 25 ? 0.2 : 0));
  const { outcome, percent, because } = await watch(site, failing, { stages });
  assert.deepEqual([outcome, percent, because], ['rolled-back', 25, 'failed']);
  assert.deepEqual((await recordedChanges(site)).slice(1), [canaryAt(5), canaryAt(25), 'rollback: 1.0.0']);
});

test('stages: failures of store and lead service after a raise do not end the watch', async () => {
  await using site = await createSiteWithCanary(5);
  /** Of the store and of the service, still to come. */
  const failures = { store: 0, service: 0 };
  const fails = () => (failures.service -= 1) >= 0;
  await using reports = await startReportedViews(site.store, visitors(), fails);
  const objects = intercept(site.objects, async ({ key }, forward) => {
    if (key === 'live.json' && (failures.store -= 1) >= 0) throw new ReleaseError('A request failed.');
    return forward();
  });
  const lines: string[] = [];
  const behind = { ...site, store: new ReleaseStore(objects) };
  const { outcome } = await watch(behind, () => ({}), {
    stages,
    reports: reports.source,
    progress(line) {
      lines.push(line);
      if (line.includes('raised to 25 %')) Object.assign(failures, { store: 1, service: 1 });
    },
  });
  assert.equal(outcome, 'promoted');
  assert(lines.includes('A request failed.'), 'the failure of the store is said');
  assert(
    lines.some((line) => line.endsWith('cannot be read: it answered 503.')),
    lines.join('\n'),
  );
});

test('watch: after a stop, a canary is not promoted, but rolled back', async () => {
  for (const [share, expected] of [
    [0, 'undecided'],
    [1, 'rolled-back'],
  ] as const) {
    await using site = await createSiteWithCanary(10);
    const stopping = new AbortController();
    const few = { canary: { views: 1 }, stable: { views: 9 } };
    const many = { canary: { views: 1_000, failed: 1_000 * share }, stable: { views: 9_000 } };
    const progress = () => stopping.abort();
    const visit = () => (stopping.signal.aborted ? many : few);
    const options = { stages: [100], stopping: stopping.signal, progress };
    assert.equal((await watch(site, visit, options)).outcome, expected);
  }
});

test('watch: a check that is undecided once at each stage is repeated, but not at once', async (context) => {
  await using site = await createSiteWithCanary(10);
  const pass = passTime(context);
  const checkedAt: number[] = [];
  const { outcome } = await watch(site, visitors(), {
    stages: [25, 50, 100],
    interval: 20,
    check: async () => {
      pass(3_600_000);
      if (checkedAt.push(Date.now()) % 2 === 1) throw new UndecidedCheck('Too busy.');
      return [];
    },
  });
  assert.deepEqual([outcome, checkedAt.length], ['promoted', 6]);
  const [first = 0, second = 0] = checkedAt;
  assert(second - first > 200, `repeated after ${second - first} ms`);
});

for (const [what, isUncertain, name] of [
  ['that stays undecided is the error', false, 'UndecidedCheck'],
  ['that is undecided after a promotion that may be committed does not hide it', true, 'IncompleteChange'],
] as const) {
  test(`watch: after the timeout, a check ${what}`, async (context) => {
    await using site = await createSiteWithCanary(10);
    const pass = passTime(context);
    let checks = 0;
    const objects = intercept(site.objects, async (call, forward) => {
      if (isCommit(call)) throw new UncertainWrite('The response was lost.');
      return forward();
    });
    const watched = watch({ ...site, store: new ReleaseStore(objects) }, growingReports(0), {
      stages: [100],
      timeout: 60_000_000,
      check: async () => {
        pass(40_000_000);
        checks += 1;
        if (isUncertain && checks === 1) return [];
        throw new UndecidedCheck('Too busy.');
      },
    });
    await assert.rejects(watched, { name });
    assert.equal(checks, 3);
    assert.equal((await remoteOf(site))?.canary?.percent, 10);
  });
}

test('watch: a freeze keeps a canary at its stage, from which it goes on when the freeze ends', async () => {
  await using site = await createSiteWithCanary(10);
  const attribution = { who: 'page-team' };
  await freeze(site.store, part, new Date(Date.now() + 3_600_000).toISOString(), attribution);
  const stages = [50, 100];
  const refusal = /^mf-pricing is frozen until/;
  await assert.rejects(watch(site, growingReports(0), { stages, timeout: 0 }), { message: refusal });
  assert.equal((await remoteOf(site))?.canary?.percent, 10);
  let ending: Promise<void> | undefined;
  const progress = (line: string) =>
    void (refusal.test(line) && (ending ??= freeze(site.store, part, undefined, attribution)));
  assert.equal((await watch(site, growingReports(0), { stages, progress })).outcome, 'promoted');
});

test('watch: a refused check is not repeated, but a canary that then gets worse is rolled back', async () => {
  await using site = await createSiteWithCanary(10);
  let checks = 0;
  let reads = 0;
  const visit = () => growingReports((reads += 1) > 8 ? 1 : 0)();
  const check = async () => {
    checks += 1;
    throw new RefusedRelease('It covers the form.');
  };
  assert.equal((await watch(site, visit, { stages: [50, 100], check })).outcome, 'rolled-back');
  assert.equal(checks, 1);
  await site.change({ kind: 'canary', versions: { [part]: '1.1.0' }, percent: 10 });
  const watched = watch(site, growingReports(0), { stages: [100], check, timeout: 0 });
  await assert.rejects(watched, { message: 'It covers the form.' });
});
