import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtRemote, builtShell } from '../testing/built-part.ts';
import { createLiveSite, createTemporaryStore, sampleSiteConfig } from '../testing/temporary-store.ts';
import type { Change } from './change.ts';
import { freeze } from './freeze.ts';
import { nextRelease } from './next-release.ts';
import { removeVersion } from './remove-version.ts';
import { describeEntry } from '../store/stored-documents.ts';
import type { Versions } from '../store/versions.ts';

const promote = (versions: Versions): Change => ({ kind: 'promote', versions });
const all = { shell: '1.0.0', 'mf-header': '1.0.0', 'mf-pricing': '1.0.0' };

// A change without an effect leaves no entry.
for (const [what, changes, entries] of [
  ['of one change', [promote(all)], 1],
  [
    'of several, in another order',
    [promote({ shell: '1.0.0' }), promote({ 'mf-pricing': '1.0.0' }), promote({ 'mf-header': '1.0.0' })],
    3,
  ],
  ['that is promoted again', [promote(all), promote({ 'mf-pricing': '1.0.0' }), promote({})], 1],
  [
    'that a rollback brings back',
    [promote(all), promote({ shell: '1.1.0' }), { kind: 'rollback', versions: { shell: '1.0.0' } }],
    3,
  ],
  [
    'after a canary',
    [
      promote(all),
      { kind: 'canary', versions: { 'mf-pricing': '1.1.0' }, percent: 10 },
      { kind: 'rollback', versions: { 'mf-pricing': undefined } },
    ],
    3,
  ],
] satisfies readonly (readonly [string, readonly Change[], number])[]) {
  test(`release ID: the content ${what} has the same ID`, async () => {
    await using site = await createTemporaryStore();
    for (const version of ['1.0.0', '1.1.0'])
      await site.publish(
        builtShell(version),
        builtRemote('mf-header', version),
        builtRemote('mf-pricing', version),
      );
    const { release } = await nextRelease(site.store, undefined, promote(all), sampleSiteConfig);
    for (const change of changes) await site.change(change);
    const history = await site.history();
    assert.deepEqual([history.at(-1)?.releaseId, history.length], [release.releaseId, entries]);
  });
}

test('history: a change has its releaser, and the parts that it has changed with their versions', async () => {
  await using site = await createLiveSite(
    { shell: '1.0.0', 'mf-pricing': '1.0.0' },
    { 'mf-header': '1.0.0', 'mf-pricing': '1.1.0' },
    { 'mf-header': '1.0.0', 'mf-pricing': '1.2.0' },
  );
  await site.change({ kind: 'canary', versions: { 'mf-pricing': '1.0.0' }, percent: 10 });
  await site.change({ kind: 'rollback', versions: { 'mf-pricing': undefined } });
  const attribution = { who: 'a test' };
  await removeVersion(site.store, { part: 'mf-pricing', version: '1.0.0' }, attribution);
  for (const until of ['2999-01-01T00:00Z', undefined])
    await freeze(site.store, undefined, until, attribution);
  const history = await site.history();
  assert.deepEqual(
    history.map((historyEntry) =>
      [historyEntry.sequence, historyEntry.who, historyEntry.parts, describeEntry(historyEntry)].join(' '),
    ),
    [
      '1 a test shell,mf-pricing promote shell 1.0.0, mf-pricing 1.0.0',
      '2 a test mf-header,mf-pricing promote mf-pricing 1.0.0 → mf-header 1.0.0, mf-pricing 1.1.0',
      '3 a test mf-pricing promote mf-pricing 1.1.0 → 1.2.0',
      '4 a test mf-pricing canary mf-pricing 1.2.0 → 1.2.0, 1.0.0 for 10 %',
      '5 a test mf-pricing rollback mf-pricing 1.2.0, 1.0.0 for 10 % → 1.2.0',
      '6 a test mf-pricing remove mf-pricing 1.0.0',
      '7 a test  freeze the page until 2999-01-01T00:00Z',
      '8 a test  unfreeze the page',
    ],
  );
  const pruned = { who: 'a test', action: 'remove', parts: [], from: '3 versions and 2 releases' } as const;
  assert.equal(describeEntry(pruned), 'remove 3 versions and 2 releases');
});
