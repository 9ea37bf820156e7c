import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { verifyStore } from '../deploy/verify-store.ts';
import { builtRemote, builtShell, writeBuiltPart } from '../testing/built-part.ts';
import { killedAtStep, runUnchecked } from '../testing/run-release.ts';
import { createTemporaryStore, type TemporaryStore } from '../testing/temporary-store.ts';
import { minAge, maxWriteTime, pruneStore, retainedReleases } from './prune-store.ts';

const inTime = (age: number) => new Date(Date.now() + age);

/** A store in which each version was live once. */
async function createSiteWith(versions: number): Promise<TemporaryStore> {
  const site = await createTemporaryStore();
  await site.publish(builtShell('1.0.0'));
  for (let version = 0; version < versions; version += 1) {
    await site.publish(builtRemote('mf-pricing', `1.${version}.0`));
    await site.deploy({ ...(version === 0 ? { shell: '1.0.0' } : {}), 'mf-pricing': `1.${version}.0` });
  }
  return site;
}

test('prune: nothing younger than thirty days is removed', async () => {
  await using site = await createSiteWith(retainedReleases + 3);
  const now = inTime(minAge - 60_000);
  assert.deepEqual(await pruneStore(site.store, { now, remove: true }), {
    versions: [],
    releases: [],
    leftovers: [],
  });
});

test('prune: keeps the live release, recent ones, and their versions', async () => {
  await using site = await createSiteWith(retainedReleases + 3);
  await site.publish(builtRemote('mf-header', '1.0.0'));
  const history = await site.store.history();
  const now = inTime(minAge + 60_000);
  const told = await pruneStore(site.store, { now, remove: false });
  assert.equal((await site.store.versionsOf('mf-pricing')).length, retainedReleases + 3);

  const pruned = await pruneStore(site.store, { now, remove: true });
  assert.deepEqual(pruned, told);
  // The oldest kept release refers to its own version and the previous one.
  assert.deepEqual(
    pruned.versions.map(({ part, version }) => `${part} ${version}`),
    ['mf-header 1.0.0', 'mf-pricing 1.0.0', 'mf-pricing 1.1.0'],
  );
  assert.deepEqual(
    pruned.releases.toSorted(),
    history
      .slice(0, 3)
      .map(({ releaseId }) => releaseId)
      .sort(),
  );
  for (const releaseId of pruned.releases) {
    assert.deepEqual(await site.objects.list(`pages/${releaseId}/`), []);
  }
  for (const { releaseId } of history.slice(3)) {
    assert((await site.objects.list(`pages/${releaseId}/`)).includes(`pages/${releaseId}/index.html`));
  }
  assert.deepEqual((await verifyStore(site.store, () => undefined)).errors, []);
});

test('prune: a removed version can be published with the same content only', async () => {
  await using site = await createSiteWith(1);
  await site.publish(builtRemote('mf-header', '1.0.0'));
  await pruneStore(site.store, { now: inTime(minAge + 60_000), remove: true });
  await assert.rejects(
    site.publish(builtRemote('mf-header', '1.0.0', { 'entry.js': 'another' })),
    /^ReleaseError: mf-header 1\.0\.0 is published already, with other content\./,
  );
  const [published] = await site.publish(builtRemote('mf-header', '1.0.0'));
  assert.equal(published?.outcome, 'stored');
});

test('prune: abandoned writes are removed after an hour', async () => {
  await using site = await createSiteWith(1);
  const data = dirname(site.directory);
  const built = join(data, 'built');
  await writeBuiltPart(built, builtRemote('mf-header', '1.0.0'));
  await runUnchecked(['publish', 'mf-header', built], { DATA_DIR: data }, killedAtStep(1));
  const staged = () => readdir(join(site.directory, 'staging'));
  const left = (await staged()).map((name) => `staging/${name}`).sort();
  assert.notEqual(left.length, 0);

  const early = await pruneStore(site.store, { now: inTime(maxWriteTime - 60_000), remove: true });
  assert.deepEqual(early.leftovers, []);
  const now = inTime(maxWriteTime + 60_000);
  const told = await pruneStore(site.store, { now, remove: false });
  assert.deepEqual(told.leftovers.toSorted(), left);
  assert.equal((await staged()).length, left.length);
  assert.deepEqual(await pruneStore(site.store, { now, remove: true }), told);
  assert.deepEqual(await staged(), []);
});
