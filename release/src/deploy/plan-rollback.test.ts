import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canarySlotAttributes } from '@countersign/contracts/page-markup';
import { documentTemplateFile } from '@countersign/contracts/part-manifest';
import { builtRemote, builtShell, templateOf } from '../testing/built-part.ts';
import { createTemporaryStore, sampleSiteConfig, type TemporaryStore } from '../testing/temporary-store.ts';
import { planRollback } from './plan-rollback.ts';

const script = `<!--${canarySlotAttributes.together}-->`;
const versions = { 'mf-leads': '2.0.0', 'mf-pricing': '2.0.0' } as const;
const joint = { kind: 'canary', versions, percent: 5 } as const;
const together = 'mf-pricing@2.0.0 mf-leads@2.0.0';

/** A site with 1.0.0 of the shell and three remotes, of which 2.0.0 and 3.0.0 are published. */
async function createSite(template = script): Promise<TemporaryStore> {
  const site = await createTemporaryStore();
  await site.publish(
    builtShell('1.0.0', { [documentTemplateFile]: templateOf(template) }),
    builtShell('2.0.0'),
  );
  for (const version of ['2.0.0', '3.0.0'])
    await site.publish(...(['mf-leads', 'mf-pricing'] as const).map((name) => builtRemote(name, version)));
  await site.publish(...(['mf-leads', 'mf-pricing'] as const).map((name) => builtRemote(name, '1.0.0')));
  await site.deploy({ shell: '1.0.0', 'mf-leads': '1.0.0', 'mf-pricing': '1.0.0' });
  return site;
}

const rollBack = async (site: TemporaryStore, version?: string) =>
  site.change(await planRollback(site.store, await site.store.liveStore.require(), 'mf-leads', version));

/** The live versions of mf-leads and mf-pricing, and their canaries. */
async function shownBy(site: TemporaryStore) {
  const { remotes } = (await site.store.liveStore.require()).release;
  const shown = [remotes['mf-leads'], remotes['mf-pricing']];
  return shown.map((remote) =>
    [remote?.live, remote?.canary?.version].map((each) => each?.version ?? '-').join(),
  );
}

test('several parts: a rollback of one is one change that brings all back', async () => {
  await using site = await createSite();
  const before = await site.store.liveStore.require();
  await site.deploy({ 'mf-leads': '2.0.0', 'mf-pricing': '2.0.0' });
  await rollBack(site);
  assert.deepEqual(await shownBy(site), ['1.0.0,-', '1.0.0,-']);
  assert.equal((await site.store.liveStore.require()).release.releaseId, before.release.releaseId);
  const changes = (await site.history()).slice(-2);
  const parts = ['mf-pricing', 'mf-leads'];
  const [old, next] = ['1.0.0', '2.0.0'].map((version) =>
    parts.map((part) => `${part} ${version}`).join(', '),
  );
  assert.deepEqual(
    changes.map(({ action, parts: named, from, to }) => ({ action, parts: named, from, to })),
    [
      { action: 'promote', parts, from: old, to: next },
      { action: 'rollback', parts, from: next, to: old },
    ],
  );
});

for (const [what, spoil] of [
  [
    'the release before is damaged',
    ({ objects }, id) => objects.overwrite(`releases/${id}.json`, Buffer.from('{')),
  ],
  ['the release before is removed', ({ objects }, id) => objects.remove([`releases/${id}.json`])],
  ['the entry before is lost', ({ objects }) => objects.remove(['history/00000002.json'])],
] satisfies readonly (readonly [string, (site: TemporaryStore, releaseId: string) => Promise<void>])[]) {
  test(`several parts: all go back to their previous versions if ${what}`, async () => {
    await using site = await createSite();
    const { releaseId } = await site.deploy({ 'mf-leads': '3.0.0', 'mf-pricing': '3.0.0' });
    await site.deploy({ 'mf-leads': '2.0.0', 'mf-pricing': '2.0.0' });
    await spoil(site, releaseId);
    await rollBack(site);
    assert.deepEqual(await shownBy(site), ['3.0.0,-', '3.0.0,-']);
  });
}

test('several parts: later changes stay, and a rollback to a version is of one part', async () => {
  await using site = await createSite();
  await site.deploy({ 'mf-leads': '2.0.0', 'mf-pricing': '2.0.0' });
  await rollBack(site, '1.0.0');
  assert.deepEqual(await shownBy(site), ['1.0.0,-', '2.0.0,-']);
  await site.deploy({ 'mf-leads': '2.0.0', 'mf-pricing': '3.0.0' });
  await site.deploy({ 'mf-pricing': '2.0.0' });
  await rollBack(site);
  assert.deepEqual(await shownBy(site), ['1.0.0,-', '2.0.0,-']);
});

test('several parts: all go back, also after one was promoted again with another setting', async () => {
  await using site = await createSite();
  await site.deploy({ 'mf-leads': '2.0.0', 'mf-pricing': '2.0.0' });
  await site.deploy({ 'mf-leads': '2.0.0' }, { ...sampleSiteConfig, appHost: 'https://other.example' });
  await rollBack(site);
  assert.deepEqual(await shownBy(site), ['1.0.0,-', '1.0.0,-']);
});

test('a rollback to a version that was never live for everybody is refused', async () => {
  await using site = await createSite();
  await site.change({ kind: 'canary', versions: { 'mf-leads': '3.0.0' }, percent: 5 });
  await assert.rejects(rollBack(site, '3.0.0'), /^ReleaseError: mf-leads 3\.0\.0 was not live for everybody/);
  assert.deepEqual(await shownBy(site), ['1.0.0,3.0.0', '1.0.0,-']);
  const { releaseId } = await site.deploy({ 'mf-leads': '2.0.0' });
  for (const versions of [{ 'mf-pricing': '3.0.0' }, { 'mf-leads': '3.0.0' }, { 'mf-leads': '1.0.0' }])
    await site.deploy(versions);
  // Removed, as by `prune`. The release after it has the version, too.
  await site.objects.remove([`releases/${releaseId}.json`]);
  await rollBack(site, '2.0.0');
  assert.deepEqual(await shownBy(site), ['2.0.0,-', '3.0.0,-']);
});

test('several parts: a rollback is refused if one was changed since the decision', async () => {
  await using site = await createSite();
  await site.deploy({ 'mf-leads': '2.0.0', 'mf-pricing': '2.0.0' });
  const decided = await planRollback(site.store, await site.store.liveStore.require(), 'mf-leads', undefined);
  await site.deploy({ 'mf-pricing': '3.0.0' });
  await assert.rejects(site.change(decided), { name: 'LostRace', message: /^mf-pricing was changed while/ });
});

test('several parts: their canary has one group, is raised as one and ends as one', async () => {
  await using site = await createSite();
  await site.change(joint);
  const { remotes } = await site.change({ ...joint, percent: 25 });
  for (const name of ['mf-leads', 'mf-pricing'] as const)
    assert.deepEqual([remotes[name]?.canary?.percent, remotes[name]?.canary?.together], [25, together]);
  assert.match(
    (await site.currentPage('index.html')).html,
    new RegExp(`${canarySlotAttributes.together}="${together}"`),
  );
  await assert.rejects(
    site.change({ ...joint, versions: { 'mf-leads': '3.0.0' } }),
    /^ReleaseError: Visitors get the canaries of mf-pricing and mf-leads together\. Name all/,
  );
  await rollBack(site);
  assert.deepEqual(await shownBy(site), ['1.0.0,-', '1.0.0,-']);
});

test('several parts: what is left of a canary after the promotion of one part can be raised', async () => {
  await using site = await createSite();
  await site.change(joint);
  await site.deploy({ 'mf-leads': '2.0.0' });
  await site.change({ ...joint, versions: { 'mf-pricing': '2.0.0' }, percent: 25 });
  assert.deepEqual(await shownBy(site), ['2.0.0,-', '1.0.0,2.0.0']);
});

test('several parts: a canary is refused with the shell, or a shell that assigns separately', async () => {
  await using site = await createSite('');
  await assert.rejects(site.change(joint), /^ReleaseError: shell 1\.0\.0 assigns visitors to each/);
  await assert.rejects(
    site.change({ ...joint, versions: { 'mf-leads': '2.0.0', shell: '2.0.0' } }),
    /^ReleaseError: The shell cannot be a canary together with other parts/,
  );
  assert.deepEqual(await shownBy(site), ['1.0.0,-', '1.0.0,-']);
});
