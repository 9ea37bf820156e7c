import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JSDOM } from 'jsdom';
import { composeBoard } from '../board/board-page.ts';
import { builtRemote, builtShell } from '../testing/built-part.ts';
import { ReleaseStore } from './release-store.ts';
import { interleave } from '../testing/interleaved-store.ts';
import { createReleaser } from '../testing/run-release.ts';
import { createTemporaryStore, storeKinds } from '../testing/temporary-store.ts';

const part = 'mf-pricing';

for (const [kind, create] of Object.entries(storeKinds)) {
  test(`second attempts, ${kind}: concurrent checks all count`, async () => {
    await using site = await create();
    const checks = Array.from({ length: 6 }, (_, index) =>
      site.store.secondAttempts.add([
        { part, journey: 'yearly', why: `attempt ${index}` },
        { part, why: 'busy' },
      ]),
    );
    await Promise.all(checks);
    const counted = await site.store.secondAttempts.read();
    assert.deepEqual(
      new Map(counted.map(({ journey, count }) => [journey, count])),
      new Map([
        ['yearly', 6],
        [undefined, 6],
      ]),
    );
  });
}

test('second attempts: a store that refuses the count does not fail the check', async () => {
  await using site = await createTemporaryStore();
  const failing = interleave(
    site.objects,
    1,
    () => Promise.reject(new Error('The disk is full.')),
    ({ method }) => method === 'create',
  );
  await new ReleaseStore(failing.objects).secondAttempts.add([{ part, why: 'busy' }]);
  assert.deepEqual(await site.store.secondAttempts.read(), []);
});

test('second attempts: those of the newest hundred checks in 30 days count', async (context) => {
  await using site = await createTemporaryStore();
  const { secondAttempts } = site.store;
  context.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 10, 1) });
  await secondAttempts.add([{ part, journey: 'old', why: 'x'.repeat(9_000) }]);
  assert.equal((await secondAttempts.read())[0]?.why.length, 500);
  context.mock.timers.tick(31 * 24 * 60 * 60_000);
  assert.deepEqual(await secondAttempts.read(), []);
  for (let check = 0; check < 105; check += 1) {
    context.mock.timers.tick(1);
    await secondAttempts.add([{ part, why: `busy ${check}` }]);
  }
  const [counted] = await secondAttempts.read();
  assert.deepEqual([counted?.count, counted?.why], [100, 'busy 104']);
  assert.equal((await site.objects.list('checks/')).length, 100);
});

test('status and board: name the journeys that passed only at their second attempt, with counts', async () => {
  await using releaser = await createReleaser();
  await releaser.publish(builtShell('1.0.0'), builtRemote(part, '1.0.0'));
  await releaser.deploy({ shell: '1.0.0', [part]: '1.0.0' });
  const attempt = { part, journey: 'yearly is chosen', why: 'step 1 of 1: <b>it is covered</b>' };
  for (let check = 0; check < 3; check += 1) await releaser.store.secondAttempts.add([attempt]);
  const line =
    /journey "yearly is chosen" of mf-pricing: 3 since \d{4}-\d\d-\d\d, the last one after: step 1 of 1: <b>it is covered<\/b>/;
  assert.match((await releaser.run(['status'])).stdout, new RegExp(`^second attempts: ${line.source}$`, 'm'));
  const [counted] = JSON.parse((await releaser.run(['status', '--json'])).stdout).secondAttempts;
  assert.deepEqual({ ...counted, since: '', at: '' }, { ...attempt, count: 3, since: '', at: '' });
  const { document } = new JSDOM(await composeBoard(releaser.store, {})).window;
  const [item] = document.querySelectorAll('.attempts > li');
  assert.match(item?.textContent ?? '', line);
});
