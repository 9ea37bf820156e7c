import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { builtRemote, builtShell, writeBuiltPart } from '../testing/built-part.ts';
import { killedAtStep, runUnchecked } from '../testing/run-release.ts';
import { createTemporaryStore, type TemporaryStore } from '../testing/temporary-store.ts';
import { intercept } from '../testing/interleaved-store.ts';
import { ReleaseStore } from './release-store.ts';
import { minAge, maxWriteTime, pruneStore, retainedReleases } from './prune-store.ts';

/** The store, on a machine whose clock is some days ahead. */
const withClock = ({ objects }: ReleaseStore, days: number) =>
  new ReleaseStore(
    intercept(objects, async ({ method }, forward) =>
      method === 'clock' ? inTime(days * 24 * 60 * 60_000) : forward(),
    ),
  );
const inTime = (age: number) => new Date(Date.now() + age);
const prune = ({ store }: TemporaryStore, now: Date, remove = true) =>
  pruneStore(store, { now, remove, clockIsRight: true });

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
  const { publishedAt = '' } = (await site.store.versionRecord('shell', '1.0.0')) ?? {};
  const now = new Date(Date.parse(publishedAt) + minAge - 1);
  assert.deepEqual(await prune(site, now), {
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
  const told = await prune(site, now, false);
  assert.equal((await site.store.versionsOf('mf-pricing')).length, retainedReleases + 3);

  const pruned = await prune(site, now);
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
  assert.deepEqual(await site.verify(), []);
});

test('prune: a removed version can be published with the same content only', async () => {
  await using site = await createSiteWith(1);
  await site.publish(builtRemote('mf-header', '1.0.0'));
  await prune(site, inTime(minAge + 60_000));
  await assert.rejects(
    site.publish(builtRemote('mf-header', '1.0.0', { 'entry.js': 'another' })),
    /^ReleaseError: mf-header 1\.0\.0 is published already, with other content\./,
  );
  const [published] = await site.publish(builtRemote('mf-header', '1.0.0'));
  assert.equal(published?.outcome, 'stored');
});

for (const kind of ['needed', 'unreferenced'] as const) {
  test(`prune: completes an interrupted removal of ${kind} items as far as nothing needs them`, async () => {
    await using site = await createSiteWith(1);
    await site.publish(builtRemote('mf-header', '1.0.0'));
    const { releaseId } = (await site.store.readLive())?.release ?? assert.fail();
    const items =
      kind === 'needed'
        ? [`pages/${releaseId}/`, 'parts/mf-pricing/1.0.0/', 'parts/../live/']
        : ['parts/mf-header/1.0.0/'];
    const at = new Date().toISOString();
    const id = '00000000-0000-4000-8000-000000000000';
    const put = (name: string, value: unknown) =>
      site.objects.create(`removals/${id}.${name}.json`, new TextEncoder().encode(JSON.stringify(value)));
    await put('plan', { at, items });
    await put('decision', { at, outcome: 'remove', items });
    const now = inTime(minAge + maxWriteTime);
    const keys = async () => (await site.objects.list('')).filter((key) => !key.startsWith('removals/'));
    const before = await keys();

    const told = await prune(site, now, false);
    assert.deepEqual(
      told.versions.map(({ part, version }) => `${part} ${version}`),
      ['mf-header 1.0.0'],
    );
    assert.deepEqual(told.releases, []);
    assert.deepEqual(await prune(site, now), told);
    assert.deepEqual(
      await keys(),
      before.filter((key) => !/mf-header.1\.0\.0/.test(key) || key.startsWith('claims/')),
    );
    assert.deepEqual(await site.verify(), []);
  });
}

test('verify: a removal that names live files hides none of their errors', async () => {
  await using site = await createSiteWith(1);
  const at = new Date().toISOString();
  const items = ['parts/mf-pricing/1.0.0/'];
  const decision = new TextEncoder().encode(JSON.stringify({ at, outcome: 'remove', items }));
  await site.objects.create('removals/00000000-0000-4000-8000-000000000000.decision.json', decision);
  await site.objects.remove(['parts/mf-pricing/1.0.0/entry.js']);
  assert.deepEqual(await site.verify(), ['mf-pricing 1.0.0 has lost entry.js.']);
});

test('prune: a clock that is a month ahead of the newest change removes nothing', async () => {
  await using site = await createSiteWith(1);
  await site.publish(builtRemote('mf-header', '1.0.0'));
  await assert.rejects(
    pruneStore(site.store, { now: inTime(40 * 24 * 60 * 60_000), remove: true }),
    /^ReleaseError: It is \S+ by the clock of this machine, but \S+ by that of the store\. Nothing was removed\. Correct the clock, or run "prune --clock-is-right"\.$/,
  );
  await assert.rejects(
    pruneStore(withClock(site.store, 40), { now: inTime(40 * 24 * 60 * 60_000), remove: true }),
    /^ReleaseError: It is \S+ by the clock of this machine, and the newest change of the store was on \S+\. Nothing was removed\. Correct the clock if it is wrong, or run "prune --clock-is-right"\.$/,
  );
  assert.equal((await site.store.versionsOf('mf-header')).length, 1);
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

  const early = await prune(site, inTime(maxWriteTime - 60_000));
  assert.deepEqual(early.leftovers, []);
  const now = inTime(maxWriteTime + 60_000);
  const told = await prune(site, now, false);
  assert.deepEqual(told.leftovers.toSorted(), left);
  assert.equal((await staged()).length, left.length);
  assert.deepEqual(await prune(site, now), told);
  assert.deepEqual(await staged(), []);
});
