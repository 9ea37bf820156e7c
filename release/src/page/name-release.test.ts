import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextState } from '../deploy/next-state.ts';
import { builtRemote, builtShell } from '../testing/built-part.ts';
import { createTemporaryStore, sampleSite } from '../testing/temporary-store.ts';
import { composePages } from './compose-pages.ts';

test('release ID: put in place of its placeholder, it gives the pages that are composed with it', async () => {
  await using site = await createTemporaryStore();
  await site.publish(builtShell('1.0.0'), builtRemote('mf-pricing', '1.0.0'));
  const change = { kind: 'promote', versions: { shell: '1.0.0', 'mf-pricing': '1.0.0' } } as const;
  const { release, pages } = await nextState(site.store, undefined, change, sampleSite);
  assert.deepEqual(pages, await composePages(site.store, release, sampleSite));
});

test('release ID: a state that comes back has the ID that it had', async () => {
  await using site = await createTemporaryStore();
  await site.publish(builtRemote('mf-pricing', '1.1.0'));
  const { releaseId } = await site.release({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  await site.release({ shell: '1.1.0' });
  const ids = [(await site.change({ kind: 'rollback', versions: { shell: '1.0.0' } })).releaseId];
  await site.change({ kind: 'canary', versions: { 'mf-pricing': '1.1.0' }, percent: 10 });
  const endOfCanary = { kind: 'rollback', versions: { 'mf-pricing': undefined } } as const;
  const again = { kind: 'promote', versions: { 'mf-pricing': '1.0.0' } } as const;
  for (const change of [endOfCanary, again, again]) {
    ids.push((await site.change(change)).releaseId);
  }
  assert.deepEqual(new Set(ids), new Set([releaseId]));
  assert.equal((await site.history()).length, 5, 'what changes nothing leaves no entry');
});
