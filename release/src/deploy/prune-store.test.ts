import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtRemote } from '../testing/built-part.ts';
import { createLiveSite, type TemporaryStore } from '../testing/temporary-store.ts';
import { findPrunable, minAge, pruneStore, retainedReleases } from './prune-store.ts';

const attribution = { who: 'a test' };
const nothing = { versions: [], releases: [], doubt: undefined };
const inTime = (age: number) => new Date(Date.now() + age);
async function prune({ store }: TemporaryStore, now = inTime(minAge + 60_000), options = {}) {
  const found = await findPrunable(store, now);
  await pruneStore(store, found, attribution, options);
  return found;
}

/** A store in which each version was live once. */
const createSiteWith = (versions: number) =>
  createLiveSite(
    { shell: '1.0.0', 'mf-pricing': '1.0.0' },
    ...Array.from({ length: versions - 1 }, (_, index) => ({ 'mf-pricing': `1.${index + 1}.0` })),
  );

test('prune: nothing is removed that was live within thirty days, however old it is', async ({ mock }) => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() - 2 * minAge });
  await using site = await createSiteWith(1);
  mock.timers.reset();
  // Before all others, however long it takes to make them.
  const now = inTime(minAge);
  for (let index = 1; index < retainedReleases + 3; index += 1)
    await site.release({ 'mf-pricing': `1.${index}.0` });
  assert.deepEqual(await prune(site, now), nothing);
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

test('prune: the damaged record of an old release stops it until the record is removed', async () => {
  await using site = await createSiteWith(retainedReleases + 3);
  const [oldest] = await site.history();
  const key = `releases/${oldest?.releaseId}.json`;
  await site.objects.overwrite(key, Buffer.from('damaged'));
  await assert.rejects(prune(site), /, or remove it if no version of that release is needed\.$/);
  await site.objects.remove([key]);
  assert.equal((await prune(site)).releases.length, 3);
  assert.deepEqual(await site.verify(), []);
});

test('prune: a clock two years ahead removes nothing until a person confirms it', async () => {
  await using site = await createSiteWith(retainedReleases + 3);
  const now = inTime(24 * minAge);
  await assert.rejects(prune(site, now), /Nothing was removed: the clock says .* --yes\.$/);
  assert.equal((await site.store.releaseIds()).length, retainedReleases + 3);
  assert.equal((await prune(site, now, { isConfirmed: true })).releases.length, 3);
});

test('prune: an interrupted removal is completed, or undone if its version is live', async () => {
  await using site = await createSiteWith(3);
  const version = (name: string) => ({ part: 'mf-pricing', version: name });
  // The last 20 releases name both.
  for (const each of ['1.0.0', '1.2.0']) await site.store.markForRemoval(version(each), 'interrupted');
  const { versions } = await prune(site, new Date());
  assert.deepEqual(versions, [version('1.0.0')]);
  assert.deepEqual(await site.objects.list('parts/mf-pricing/1.0.0/'), []);
  site.store.forgetHashes();
  assert.deepEqual(await site.verify(), []);
});
