import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtRemote, builtShell } from '../testing/built-part.ts';
import { createTemporaryStore, sampleSiteConfig } from '../testing/temporary-store.ts';
import type { Change } from './change.ts';
import { nextRelease } from './next-release.ts';
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
