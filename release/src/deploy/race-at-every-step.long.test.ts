import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReleaseStore } from '../store/release-store.ts';
import { builtRemote } from '../testing/built-part.ts';
import { interleave } from '../testing/interleaved-store.ts';
import { createLiveSite, sampleSite } from '../testing/temporary-store.ts';
import { deployRelease } from './deploy-release.ts';
import { minAge, pruneStore } from './prune-store.ts';
import { removeVersion } from './remove-version.ts';

const author = { who: 'pricing-team', why: 'leaks entries' };
const first = { shell: '1.0.0', 'mf-pricing': '1.0.0' };
/** Version 1.0.0 of mf-pricing was live before the two that the page names now. */
const removed = { part: 'mf-pricing', version: '1.0.0' } as const;
/** At a time at which everything may go that the page does not need. */
const options = { now: new Date(Date.now() + 2 * minAge), remove: true, author };

test('remove: a change at any step of it finds a whole version, or leaves the page as it was', async () => {
  for (let step = 1, isReached = true; isReached; step += 1) {
    await using site = await createLiveSite(first, { 'mf-pricing': '1.1.0' }, { 'mf-pricing': '1.2.0' });
    const roll = () => site.change({ kind: 'rollback', ...removed }).catch(() => undefined);
    const behind = interleave(site.objects, step, async () => void (await roll()));
    await removeVersion(new ReleaseStore(behind.objects), removed, author).catch(() => undefined);
    isReached = behind.reached();
    assert.deepEqual(await site.verify(), [], `step ${step}`);
  }
});

test('prune: a change at any step of it finds a whole version, or leaves the page as it was', async () => {
  for (let step = 1, isReached = true; isReached; step += 1) {
    await using site = await createLiveSite(first, { 'mf-pricing': '1.1.0' });
    await site.publish(builtRemote('mf-leads', '1.0.0'));
    const deploy = () => site.deploy({ 'mf-leads': '1.0.0' }).catch(() => undefined);
    const behind = interleave(site.objects, step, async () => void (await deploy()));
    await pruneStore(new ReleaseStore(behind.objects), options).catch(() => undefined);
    isReached = behind.reached();
    assert.deepEqual(await site.verify(), [], `step ${step}`);
  }
});

test('prune: at any step of a change, it takes nothing of the page that becomes live', async () => {
  for (let step = 1, isReached = true; isReached; step += 1) {
    await using site = await createLiveSite(first, { 'mf-pricing': '1.1.0' });
    await site.publish(builtRemote('mf-leads', '1.0.0'));
    const behind = interleave(site.objects, step, async () => void (await pruneStore(site.store, options)));
    const change = { kind: 'promote', versions: { 'mf-leads': '1.0.0' } } as const;
    await deployRelease(new ReleaseStore(behind.objects), change, () => sampleSite, author).catch(
      () => undefined,
    );
    isReached = behind.reached();
    assert.deepEqual(await site.verify(), [], `step ${step}`);
  }
});
