import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { applyChange } from '../deploy/change.ts';
import { ReleaseError } from '../store/release-error.ts';
import { compatibleRemote, compatibleShell } from '../testing/compatible-part.ts';
import { createTemporaryStore, storeUnchecked, type TemporaryStore } from '../testing/temporary-store.ts';
import { recordCheckedPairs, uncheckedPairs } from './compatibility-matrix.ts';

/** A store with version 1.0.0 live, and 1.1.0 published. */
async function createSite(): Promise<TemporaryStore> {
  const site = await createTemporaryStore();
  const [before, after] = ['1.0.0', '1.1.0'].map((version) => compatibleRemote('mf-pricing', version));
  if (before && after) await site.publish(compatibleShell('1.0.0'), before, after);
  await site.deploy({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  return site;
}

/** The pairs that a promotion of mf-pricing 1.1.0 must check. They pass. */
async function pairsToCheck({ store }: TemporaryStore): Promise<readonly string[]> {
  const live = (await store.readLive())?.release;
  const next = await applyChange(store, live, { kind: 'promote', versions: { 'mf-pricing': '1.1.0' } });
  const pairs = await uncheckedPairs(store, next, live);
  await recordCheckedPairs(store, pairs);
  return pairs.map(({ shell, part, version }) => `${part} ${version} in shell ${shell}`);
}

const pair = 'mf-pricing 1.1.0 in shell 1.0.0';
const record = 'checks/shell-1.0.0/mf-pricing-1.1.0.json';
/** A version with the same name and other content. */
const replaced = compatibleRemote('mf-pricing', '1.1.0', { extra: { 'first.txt': 'other' } });

for (const [what, replacement] of [
  ['remote', replaced],
  ['shell', compatibleShell('1.0.0', { 'first.txt': 'other' })],
] as const) {
  test(`compatibility matrix: a ${what} whose files were replaced is checked again`, async () => {
    await using site = await createSite();
    await pairsToCheck(site);
    await storeUnchecked(site.store, replacement);
    assert.deepEqual(await pairsToCheck(site), [pair]);
    assert.deepEqual(await pairsToCheck(site), []);
  });
}

test('compatibility matrix: a record without the content that passed does not count', async () => {
  await using site = await createSite();
  await site.objects.create(record, Buffer.from('{"passedAt":"2026"}\n'));
  assert.deepEqual(await pairsToCheck(site), [pair]);
});

test('compatibility matrix: a result of another version of the check counts for live versions only', async () => {
  await using site = await createSite();
  await pairsToCheck(site);
  const passed = JSON.parse(String(Buffer.from((await site.objects.read(record))?.bytes ?? [])));
  const older = Buffer.from(JSON.stringify({ ...passed, checker: 'another' }));
  await site.objects.overwrite(record, older);
  assert.deepEqual(await pairsToCheck(site), [pair]);
  await site.objects.overwrite(record, older);
  await site.change({ kind: 'canary', part: 'mf-pricing', version: '1.1.0', percent: 5 });
  assert.deepEqual(await pairsToCheck(site), []);
});

for (const [what, hasPassed, replacement] of [
  ['a canary whose files were replaced', true, replaced],
  [
    'a forced canary whose code was replaced',
    false,
    compatibleRemote('mf-pricing', '1.1.0', { extra: { 'exposed.js': '/* other */' } }),
  ],
] as const) {
  test(`compatibility matrix: ${what} is checked before it becomes live`, async () => {
    await using site = await createSite();
    if (hasPassed) await pairsToCheck(site);
    await site.change({ kind: 'canary', part: 'mf-pricing', version: '1.1.0', percent: 5 });
    assert.deepEqual(await pairsToCheck(site), []);
    await storeUnchecked(site.store, replacement);
    assert.deepEqual(await pairsToCheck(site), [pair]);
  });
}

test('compatibility matrix: a record that cannot be read is not taken for a missing one', async () => {
  await using site = await createSite();
  const live = (await site.store.readLive())?.release;
  assert.ok(live);
  const read = site.objects.read.bind(site.objects);
  mock.method(site.objects, 'read', (key: string) =>
    key.startsWith('checks/') ? Promise.reject(new ReleaseError('The store is down.')) : read(key),
  );
  await assert.rejects(uncheckedPairs(site.store, live, live), /The store is down/);
});
