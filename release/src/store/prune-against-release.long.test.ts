import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deployRelease } from '../deploy/deploy-release.ts';
import { nextState } from '../deploy/next-state.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { builtRemote } from '../testing/built-part.ts';
import { interleave, type StoreCall } from '../testing/interleaved-store.ts';
import { killedAtStep, runUnchecked } from '../testing/run-release.ts';
import { servedPage } from '../testing/served-page.ts';
import { createTemporaryStore, sampleSite, storeKinds, type TestStore } from '../testing/temporary-store.ts';
import type { ObjectStore } from './object-store.ts';
import { minAge, maxWriteTime, pruneStore } from './prune-store.ts';
import { ReleaseStore } from './release-store.ts';

const author = { who: 'a test' };
const header = builtRemote('mf-header', '1.0.0');
const withHeader = { kind: 'promote', versions: { 'mf-header': '1.0.0' } } as const;

/** A time at which all current objects are older than the minimum age. */
const later = () => new Date(Date.now() + minAge + 60_000);
const release = (objects: ObjectStore) =>
  deployRelease(new ReleaseStore(objects), withHeader, () => sampleSite, author);
const prune = (objects: ObjectStore, now = later()) =>
  pruneStore(new ReleaseStore(objects), { now, remove: true, clockIsRight: true });
/** A time at which the next prune completes an abandoned removal. */
const anHourLater = () => new Date(later().getTime() + maxWriteTime + 60_000);

/** A live shell, and an unreferenced version with the pages of a release that refers to it. */
async function prepare<Site extends TestStore>(site: Site): Promise<Site> {
  const { store } = site;
  await site.release({ shell: '1.0.0' });
  await site.publish(header);
  const unused = await nextState(store, await store.readLive(), withHeader, sampleSite);
  await store.addRelease(unused.release, unused.pages);
  return site;
}

/** Outcome of an action that may fail with a {@link ReleaseError}. */
async function outcomeOf(action: Promise<unknown>): Promise<'done' | 'refused'> {
  try {
    await action;
    return 'done';
  } catch (error) {
    assert(error instanceof ReleaseError, String(error));
    return 'refused';
  }
}

/** Asserts that the page is complete, and refers to the new version only if its release succeeded. */
async function assertWhole(site: TestStore, released: 'done' | 'refused', where: string): Promise<void> {
  const { objects, store } = site;
  const live = (await store.readLive())?.release;
  assert.equal(live?.remotes['mf-header']?.live.version, released === 'done' ? '1.0.0' : undefined, where);
  assert.equal((await servedPage(objects, 'index.html')).releaseId, live?.releaseId, where);
  assert.deepEqual(await site.verify(), [], where);
}

/** Calls through which prune and release interact. Excludes reads for buckets, because these are slow. */
const telling: Readonly<Record<string, (call: StoreCall) => boolean>> = {
  directory: ({ method, key }) =>
    ['remove', 'replace', 'list'].includes(method) || /^(?:removals|releases|live|log)/.test(key),
  bucket: ({ method, key }) =>
    ['remove', 'replace'].includes(method) || (method !== 'read' && /^(?:removals|releases)\//.test(key)),
};

for (const [kind, createStore] of Object.entries(storeKinds)) {
  for (const [first, second] of [
    ['prune', 'release'],
    ['release', 'prune'],
  ] as const) {
    test(`${second} in a ${kind} before any call of ${first} leaves a page whose files are all there`, async () => {
      const actions = { prune, release };
      const seen = new Set<string>();
      for (let n = 1, reached = true; reached; n += 1) {
        await using site = await prepare(await createStore());
        const { objects } = site;
        const outcomes = { prune: 'refused', release: 'refused' };
        const interleaved = interleave(
          objects,
          n,
          async () => void (outcomes[second] = await outcomeOf(actions[second](objects))),
          telling[kind],
        );
        outcomes[first] = await outcomeOf(actions[first](interleaved.objects));
        reached = interleaved.reached();
        if (!reached) break;
        const released = outcomes.release === 'done' ? 'done' : 'refused';
        assert.equal(outcomes.prune, 'done', `call ${n}`);
        await assertWhole(site, released, `call ${n}`);
        seen.add(released);

        // A refused release succeeds after its version is published again.
        await site.publish(header);
        assert.equal(await outcomeOf(release(objects)), 'done', `call ${n}`);
        await assertWhole(site, 'done', `call ${n}`);
      }
      assert.deepEqual([...seen].sort(), ['done', 'refused']);
    });
  }

  test(`prune of a ${kind}, killed between its plan and its decision, stops no release`, async () => {
    await using site = await prepare(await createStore());
    const { objects, environment } = site;
    const { code } = await runUnchecked(['prune'], environment, killedAtStep(1));
    assert.equal(code, null);
    assert.equal((await objects.list('removals/')).length, 1);
    await release(objects);
    await assertWhole(site, 'done', 'after the release');
    // The next prune deletes the abandoned plan, and removes nothing because of it.
    const { leftovers } = await prune(objects, anHourLater());
    assert.deepEqual(await objects.list('removals/'), []);
    assert.equal(leftovers.filter((key) => key.startsWith('removals/')).length, 2);
    await assertWhole(site, 'done', 'after the next prune');
  });

  test(`prune of a ${kind}, killed after its decision, is finished by the next one`, async () => {
    await using site = await prepare(await createStore());
    const { objects, store, environment } = site;
    const before = (await store.readLive())?.release;
    const { code } = await runUnchecked(['prune'], environment, killedAtStep(2));
    assert.equal(code, null);
    const said =
      /^ReleaseError: prune is removing mf-header 1\.0\.0\. .* run prune again an hour later first\./;
    await assert.rejects(release(objects), said);
    await assert.rejects(site.publish(header), said);
    assert.deepEqual((await store.readLive())?.release, before);
    await assertWhole(site, 'refused', 'after the kill');

    await prune(objects, anHourLater());
    assert.deepEqual(await objects.list('removals/'), []);
    assert.deepEqual(await objects.list('parts/mf-header/'), []);
    await site.publish(header);
    await release(objects);
    await assertWhole(site, 'done', 'after the next prune');
  });
}

test('prune: a run suspended for an hour removes nothing that the next run kept', async () => {
  await using site = await prepare(await createTemporaryStore());
  const { objects } = site;
  let woken = false;
  const sleeping = interleave(
    objects,
    1,
    async () => {
      woken = true;
      await prune(objects, anHourLater());
      await site.publish(header);
      await release(objects);
    },
    ({ method, key }) => method === 'create' && key.endsWith('.decision.json'),
  );
  await outcomeOf(prune(sleeping.objects));
  assert(woken);
  await assertWhole(site, 'done', 'after waking up');
});
