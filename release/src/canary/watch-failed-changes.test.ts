import assert from 'node:assert/strict';
import { test } from 'node:test';
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
  visitors,
  watch,
} from '../testing/watched-site.ts';

test('watch: a promotion that loses all races is repeated', async (context) => {
  await using site = await createSiteWithCanary(10);
  const pass = passTime(context);
  let isFirst = true;
  const objects = intercept(site.objects, async (call, forward) => {
    if (!isCommit(call) || !isFirst) return forward();
    isFirst = false;
    return 'changed';
  });
  const lines: string[] = [];
  const { outcome } = await watch({ ...site, store: new ReleaseStore(objects) }, growingReports(0), {
    stages: [100],
    progress: (line) => void lines.push(line),
    // The check takes all the time for attempts.
    check: async () => {
      pass(3_600_000);
      return [];
    },
  });
  assert.equal(outcome, 'promoted');
  assert(
    lines.includes(
      'Another change was committed during each attempt (1); nothing was changed. Try again in a minute.',
    ),
  );
});

for (const [what, error] of [
  ['was refused', new RefusedRelease('It covers the form.')],
  ['failed', new UndecidedCheck('Too busy.')],
] as const) {
  test(`watch: long after a promotion that ${what}, a rollback is repeated`, async (context) => {
    await using site = await createSiteWithCanary(10);
    const pass = passTime(context);
    let share = 0;
    let failures = 1;
    const objects = intercept(site.objects, async (call, forward) => {
      if (!isCommit(call) || (failures -= 1) < 0) return forward();
      pass(3_600_000);
      throw new ReleaseError('A request failed.');
    });
    const behind = { ...site, store: new ReleaseStore(objects) };
    const { outcome } = await watch(behind, () => growingReports(share)(), {
      stages: [100],
      check: async () => {
        share = 1;
        throw error;
      },
    });
    assert.equal(outcome, 'rolled-back');
    assert(failures < 0);
  });
}

for (const [change, share, expected] of [
  ['rollback', 0.5, ['rollback: 1.0.0']],
  ['raise and promotion', 0, [canaryAt(25), 'promote: 1.1.0']],
] as const) {
  for (const [what, isCommitted, reads, links] of [
    ['was not committed, which cannot be read', false, 1, 0],
    ['was committed, which cannot be read', true, 2, 0],
    ['was committed, and whose pages were not served', true, 0, 1],
  ] as const) {
    test(`watch: a ${change} that ${what}, is completed`, async () => {
      await using site = await createSiteWithCanary(10);
      /** Failures to come after a commit. */
      const failures = { reads: 0, links: 0 };
      const failed = new Set<number>();
      const objects = intercept(site.objects, async (call, forward) => {
        const percent = (await remoteOf(site))?.canary?.percent ?? 0;
        if (isCommit(call) && !failed.has(percent)) {
          failed.add(percent);
          Object.assign(failures, { reads, links });
          if (isCommitted) await forward();
          if (reads > 0) throw new UncertainWrite('The response was lost.');
          return 'replaced';
        }
        const isRead = call.method.startsWith('read') && call.key === 'live.json';
        if (isRead && (failures.reads -= 1) >= 0) throw new ReleaseError('A read failed.');
        if (call.method === 'linkCurrent' && (failures.links -= 1) >= 0) throw new ReleaseError('No link.');
        return forward();
      });
      const behind = { ...site, store: new ReleaseStore(objects) };
      const { outcome } = await watch(behind, growingReports(share), { stages: [25, 100] });
      assert.equal(outcome, share > 0 ? 'rolled-back' : 'promoted');
      assert.deepEqual((await recordedChanges(site)).slice(2), expected);
      assert.deepEqual(await site.verify(), []);
    });
  }
}

test('watch: a raise that arrives late is one of the watch, also if its repetition was not decided', async (context) => {
  await using site = await createSiteWithCanary(10);
  const pass = passTime(context);
  /** The first commit, whose outcome is not known at first. */
  let commitLate: (() => Promise<unknown>) | undefined;
  const objects = intercept(site.objects, async (call, forward) => {
    if (!isCommit(call) || commitLate) return forward();
    commitLate = forward;
    throw new UncertainWrite('The response was lost.');
  });
  let checks = 0;
  const { outcome } = await watch({ ...site, store: new ReleaseStore(objects) }, visitors(), {
    stages: [25, 100],
    timeout: 60_000_000,
    check: async () => {
      pass(600_000);
      checks += 1;
      if (checks !== 2) return [];
      await commitLate?.();
      throw new UndecidedCheck('Too busy.');
    },
  });
  assert.equal(outcome, 'promoted');
});

test('watch: a raise that arrives after a rollback that was not committed is rolled back', async () => {
  await using site = await createSiteWithCanary(10);
  let commits = 0;
  let isWorse = false;
  let commitLate: (() => Promise<unknown>) | undefined;
  const objects = intercept(site.objects, async (call, forward) => {
    if (!isCommit(call) || (commits += 1) > 2) return forward();
    if (commits === 2) await commitLate?.();
    commitLate = forward;
    isWorse = true;
    throw new UncertainWrite('The response was lost.');
  });
  const reports = growingReports(0);
  const failing = growingReports(1);
  const visit = () => (isWorse ? failing() : reports());
  const behind = { ...site, store: new ReleaseStore(objects) };
  const { outcome } = await watch(behind, visit, { stages: [25, 100] });
  assert.equal(outcome, 'rolled-back');
  assert.deepEqual((await recordedChanges(site)).slice(1), [canaryAt(10), canaryAt(25), 'rollback: 1.0.0']);
});
