import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { flipRelease, nextState } from './flip/flip-release.ts';
import { leastAge, longestWrite, pruneStore } from './prune-store.ts';
import { ReleaseFault } from './release-fault.ts';
import type { ObjectStore } from './store/object-store.ts';
import { ReleaseStore } from './store/release-store.ts';
import { builtRemote, builtShell } from './testing/built-part.ts';
import { commandStores, type CommandStores } from './testing/command-stores.ts';
import { interleave, type StoreCall } from './testing/interleaved-store.ts';
import { killedAtStep, runUnchecked } from './testing/run-release.ts';
import { servedPage } from './testing/served-page.ts';
import { createTemporaryStore, publishBuilt, sampleSite } from './testing/temporary-store.ts';
import { verifyStore } from './verify-store.ts';

const author = { who: 'a test' };
const header = builtRemote('mf-header', '1.0.0');
const withHeader = { action: 'promote', versions: { 'mf-header': '1.0.0' } } as const;

/** When everything that is stored now, and is not live, is old enough to go. */
const later = () => new Date(Date.now() + leastAge + 60_000);
const release = (objects: ObjectStore) =>
  flipRelease(new ReleaseStore(objects), withHeader, () => sampleSite, author);
const prune = (objects: ObjectStore, now = later()) =>
  pruneStore(new ReleaseStore(objects), { now, remove: true });
/** When another prune takes what one of a month later has left half done. */
const anHourLater = () => new Date(later().getTime() + longestWrite + 60_000);

/** A live shell, and a version with the pages of a state that names it, which nothing needs. */
async function openStore(stores: CommandStores) {
  const { objects, environment } = await stores.open();
  return { ...(await prepare(objects, stores.directory)), environment };
}

async function prepare(objects: ObjectStore, directory: string) {
  const store = new ReleaseStore(objects);
  await publishBuilt(store, builtShell('1.0.0'), directory);
  const change = { action: 'promote', versions: { shell: '1.0.0' } } as const;
  const before = await flipRelease(store, change, () => sampleSite, author);
  await publishBuilt(store, header, directory);
  const unused = await nextState(store, await store.readLive(), withHeader, sampleSite);
  await store.addRelease(unused.release, unused.pages);
  return { objects, store, before };
}

/** What came of an action that may be refused in a sentence. */
async function outcomeOf(action: Promise<unknown>): Promise<'done' | 'refused'> {
  try {
    await action;
    return 'done';
  } catch (error) {
    assert(error instanceof ReleaseFault, String(error));
    return 'refused';
  }
}

/** The page is whole, and names the new version only if its release was not refused. */
async function assertWhole(objects: ObjectStore, released: 'done' | 'refused', where: string): Promise<void> {
  const store = new ReleaseStore(objects);
  const live = (await store.readLive())?.release;
  assert.equal(live?.remotes['mf-header']?.live.version, released === 'done' ? '1.0.0' : undefined, where);
  assert.equal((await servedPage(objects, 'index.html')).releaseId, live?.releaseId, where);
  assert.deepEqual((await verifyStore(store, () => undefined)).faults, [], where);
}

/** Calls by which the two see or harm each other. A bucket takes longer, so there the reads among them are left out. */
const telling: Readonly<Record<string, (call: StoreCall) => boolean>> = {
  directory: ({ method, key }) =>
    ['remove', 'replace', 'list'].includes(method) || /^(?:removals|releases|live|log)/.test(key),
  bucket: ({ method, key }) =>
    ['remove', 'replace'].includes(method) || (method !== 'read' && /^(?:removals|releases)\//.test(key)),
};

for (const [kind, openStores] of Object.entries(commandStores)) {
  for (const [first, second] of [
    ['prune', 'release'],
    ['release', 'prune'],
  ] as const) {
    test(`${second} in a ${kind} before any call of ${first} leaves a page whose files are all there`, async () => {
      await using stores = await openStores();
      const actions = { prune, release };
      const seen = new Set<string>();
      for (let n = 1, reached = true; reached; n += 1) {
        const { objects } = await openStore(stores);
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
        await assertWhole(objects, released, `call ${n}`);
        seen.add(released);

        // What was refused can be released once its version is published again.
        await publishBuilt(new ReleaseStore(objects), header, stores.directory);
        assert.equal(await outcomeOf(release(objects)), 'done', `call ${n}`);
        await assertWhole(objects, 'done', `call ${n}`);
      }
      assert.deepEqual([...seen].sort(), ['done', 'refused']);
    });
  }

  test(`prune of a ${kind}, killed between its plan and its decision, stops no release`, async () => {
    await using stores = await openStores();
    const { objects, environment } = await openStore(stores);
    const { code } = await runUnchecked(['prune'], environment, killedAtStep(1));
    assert.equal(code, null);
    assert.equal((await objects.list('removals/')).length, 1);
    await release(objects);
    await assertWhole(objects, 'done', 'after the release');
    // The plan that is left over goes with the next prune, and takes nothing with it.
    const { leftovers } = await prune(objects, anHourLater());
    assert.deepEqual(await objects.list('removals/'), []);
    assert.equal(leftovers.filter((key) => key.startsWith('removals/')).length, 2);
    await assertWhole(objects, 'done', 'after the next prune');
  });

  test(`prune of a ${kind}, killed after its decision, is finished by the next one`, async () => {
    await using stores = await openStores();
    const { objects, store, environment, before } = await openStore(stores);
    const { code } = await runUnchecked(['prune'], environment, killedAtStep(2));
    assert.equal(code, null);
    const said =
      /^ReleaseFault: prune is removing mf-header 1\.0\.0\. .* run prune again an hour later first\./;
    await assert.rejects(release(objects), said);
    await assert.rejects(publishBuilt(store, header, stores.directory), said);
    assert.equal((await store.readLive())?.release.releaseId, before.releaseId);
    await assertWhole(objects, 'refused', 'after the kill');

    await prune(objects, anHourLater());
    assert.deepEqual(await objects.list('removals/'), []);
    assert.deepEqual(await objects.list('parts/mf-header/'), []);
    await publishBuilt(store, header, stores.directory);
    await release(objects);
    await assertWhole(objects, 'done', 'after the next prune');
  });
}

test('prune that sleeps for an hour after its plan removes nothing that the next one has left', async () => {
  await using site = await createTemporaryStore();
  const { objects, store } = await prepare(site.objects, dirname(site.directory));
  let woken = false;
  const sleeping = interleave(
    objects,
    1,
    async () => {
      woken = true;
      await prune(objects, anHourLater());
      await publishBuilt(store, header, dirname(site.directory));
      await release(objects);
    },
    ({ method, key }) => method === 'create' && key.endsWith('.decision.json'),
  );
  await outcomeOf(prune(sleeping.objects));
  assert(woken);
  await assertWhole(objects, 'done', 'after waking up');
});
