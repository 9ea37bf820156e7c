import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReleaseStore } from '../store/release-store.ts';
import { builtRemote } from '../testing/built-part.ts';
import { interleave } from '../testing/interleaved-store.ts';
import { createLiveSite, sampleSiteConfig, type TemporaryStore } from '../testing/temporary-store.ts';
import { deployRelease } from './deploy-release.ts';
import { findPrunable, minAge, pruneStore } from './prune-store.ts';
import { removeFromStore, removeVersion } from './remove-version.ts';

const attribution = { who: 'pricing-team', why: 'leaks entries' };
const first = { shell: '1.0.0', 'mf-pricing': '1.0.0' };
/** Version 1.0.0 of mf-pricing was live before the two that the page names now. */
const removed = { part: 'mf-pricing', version: '1.0.0' } as const;
/** A time at which everything may go that the page does not need, and no longer after its last change than a clock may be ahead. */
const later = new Date(Date.now() + 2 * minAge);
const prune = async (store: ReleaseStore) => pruneStore(store, await findPrunable(store, later), attribution);

/** Repeats an action, each time with `race` before another one of its calls of the store, and verifies the page after it. */
async function assertWholeAtEveryStep(
  create: () => Promise<TemporaryStore>,
  action: (store: ReleaseStore) => Promise<unknown>,
  race: (site: TemporaryStore) => Promise<unknown>,
): Promise<void> {
  let step = 0;
  for (let isReached = true; isReached;) {
    step += 1;
    await using site = await create();
    const behind = interleave(site.objects, step, async () => void (await race(site)));
    const failure: unknown = await action(new ReleaseStore(behind.objects)).then(() => undefined, String);
    isReached = behind.reached();
    assert(isReached || failure === undefined, String(failure));
    assert.deepEqual(await site.verify(), [], `step ${step}`);
  }
  assert(step > 10, `it has ${step} steps only`);
}

/** A page that needs 1.0.0 and 1.1.0, with a version of another part that was never live. */
async function createSiteToPrune(): Promise<TemporaryStore> {
  const site = await createLiveSite(first, { 'mf-pricing': '1.1.0' });
  await site.publish(builtRemote('mf-leads', '1.0.0'));
  return site;
}

const promotion = { kind: 'promote', versions: { 'mf-leads': '1.0.0' } } as const;

test('remove: a change at any step finds a whole version, or changes no page', () =>
  assertWholeAtEveryStep(
    () => createLiveSite(first, { 'mf-pricing': '1.1.0' }, { 'mf-pricing': '1.2.0' }),
    (store) => removeVersion(store, removed, attribution),
    (site) =>
      site.change({ kind: 'rollback', versions: { [removed.part]: removed.version } }).catch(() => undefined),
  ));

test('prune: a change at any step finds a whole version, or changes no page', () =>
  assertWholeAtEveryStep(createSiteToPrune, prune, (site) => site.change(promotion).catch(() => undefined)));

test('prune: at any step of a change, it removes nothing of the next page', () =>
  assertWholeAtEveryStep(
    createSiteToPrune,
    (store) => deployRelease(store, promotion, () => sampleSiteConfig, attribution),
    ({ store }) => prune(store),
  ));

test('remove: at any step, a version that is published and promoted again is whole', () =>
  assertWholeAtEveryStep(
    () => createLiveSite(first, { 'mf-pricing': '1.1.0' }, { 'mf-pricing': '1.2.0' }),
    (store) => removeVersion(store, removed, attribution),
    async (site) => {
      site.store.forgetHashes();
      await site.release({ 'mf-pricing': '1.0.0' }).catch(() => undefined);
    },
  ));

test('prune: at any step, a change back to a release that it removes finds it whole', () =>
  assertWholeAtEveryStep(
    () => createLiveSite(first, { 'mf-pricing': '1.1.0' }, { 'mf-pricing': '1.2.0' }),
    async (store) => {
      const oldest = (await Array.fromAsync(store.liveStore.history(await store.liveStore.require()))).at(-1);
      const removal = { versions: [], releases: [oldest?.releaseId ?? ''] };
      return removeFromStore(store, removal, { ...attribution, parts: [] });
    },
    (site) =>
      site.change({ kind: 'rollback', versions: { [removed.part]: removed.version } }).catch(() => undefined),
  ));
