import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReleaseStore } from '../store/release-store.ts';
import { builtRemote } from '../testing/built-part.ts';
import { interleave } from '../testing/interleaved-store.ts';
import { createLiveSite, sampleSite, type TemporaryStore } from '../testing/temporary-store.ts';
import { deployRelease } from './deploy-release.ts';
import { minAge, pruneStore, retainedReleases } from './prune-store.ts';

const author = { who: 'a test' };
const nothing = { versions: [], releases: [] };
const inTime = (age: number) => new Date(Date.now() + age);
const prune = ({ store }: TemporaryStore, now = inTime(minAge + 60_000)) =>
  pruneStore(store, { now, remove: true, author });

/** A store in which each version was live once. */
const createSiteWith = (versions: number) =>
  createLiveSite(
    { shell: '1.0.0', 'mf-pricing': '1.0.0' },
    ...Array.from({ length: versions - 1 }, (_, index) => ({ 'mf-pricing': `1.${index + 1}.0` })),
  );

test('prune: nothing younger than thirty days is removed', async () => {
  await using site = await createSiteWith(retainedReleases + 3);
  assert.deepEqual(await prune(site, inTime(minAge - 60_000)), nothing);
});

test('prune: the last releases and their versions stay, and what they do not name goes', async () => {
  await using site = await createSiteWith(retainedReleases + 3);
  await site.publish(builtRemote('mf-leads', '9.0.0'));
  const { versions, releases } = await prune(site);
  assert.deepEqual(
    versions.map(({ part, version }) => `${part} ${version}`),
    // The first of the last 20 releases still names 1.2.0 as its fallback.
    ['mf-pricing 1.0.0', 'mf-pricing 1.1.0', 'mf-leads 9.0.0'],
  );
  assert.equal(releases.length, 3);
  assert.equal((await site.store.releaseIds()).length, retainedReleases);
  assert.deepEqual(await site.objects.list('parts/mf-leads/'), []);
  assert.deepEqual(await site.verify(), []);
  assert.deepEqual(await prune(site), nothing);
});

test('prune: a removed version can be published with the same content only', async () => {
  await using site = await createSiteWith(retainedReleases + 3);
  await prune(site);
  const other = builtRemote('mf-pricing', '1.0.0', { 'exposed.js': 'another content' });
  await assert.rejects(site.publish(other), /published already, with other content/);
  const [published] = await site.publish(builtRemote('mf-pricing', '1.0.0'));
  assert.equal(published?.outcome, 'stored');
});

test('prune: a change at any step of it finds a whole version, or leaves the page as it was', async () => {
  for (let step = 1, isReached = true; isReached; step += 1) {
    await using site = await createSiteWith(2);
    await site.publish(builtRemote('mf-leads', '1.0.0'));
    const deploy = () => site.deploy({ 'mf-leads': '1.0.0' }).catch(() => undefined);
    const behind = interleave(site.objects, step, async () => void (await deploy()));
    const options = { now: inTime(minAge + 60_000), remove: true, author };
    await pruneStore(new ReleaseStore(behind.objects), options).catch(() => undefined);
    isReached = behind.reached();
    assert.deepEqual(await site.verify(), [], `step ${step}`);
  }
});

test('prune: at any step of a change, it takes nothing of the page that becomes live', async () => {
  for (let step = 1, isReached = true; isReached; step += 1) {
    await using site = await createSiteWith(2);
    await site.publish(builtRemote('mf-leads', '1.0.0'));
    const behind = interleave(site.objects, step, async () => void (await prune(site)));
    const change = { kind: 'promote', versions: { 'mf-leads': '1.0.0' } } as const;
    await deployRelease(new ReleaseStore(behind.objects), change, () => sampleSite, author).catch(
      () => undefined,
    );
    isReached = behind.reached();
    assert.deepEqual(await site.verify(), [], `step ${step}`);
  }
});
