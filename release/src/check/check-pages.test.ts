import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageNotOpened } from '../store/stored-documents.ts';
import type { Versions } from '../store/versions.ts';
import { builtRemote } from '../testing/built-part.ts';
import { createLiveSite } from '../testing/temporary-store.ts';
import { areAcceptedLooks } from './check-pages.ts';

test('changed looks: accepted of canaries alone, and only if their page was opened', async () => {
  await using site = await createLiveSite({ shell: '1.0.0', 'mf-pricing': '1.0.0', 'mf-leads': '1.0.0' });
  const [pricing, leads]: Versions[] = [{ 'mf-pricing': '1.1.0' }, { 'mf-leads': '1.1.0' }];
  const published = [builtRemote('mf-pricing', '1.0.1'), builtRemote('mf-pricing', '1.1.0')];
  await site.publish(...published, builtRemote('mf-leads', '1.1.0'));
  const makeCanary = (versions: Versions, percent: number, forced: readonly string[] = []) =>
    site.change({ kind: 'canary', versions, percent }, undefined, () => Promise.resolve(forced));
  const areAccepted = async (versions: Versions) => {
    const { release, historyEntry } = await site.store.liveStore.require();
    return areAcceptedLooks({ store: site.store, liveRelease: release, historyEntry }, versions);
  };
  assert.equal(await areAccepted({ 'mf-pricing': '1.0.0' }), false);
  await makeCanary({ ...pricing }, 5, ['changes the title of the page']);
  assert.equal(await areAccepted({ ...pricing }), true);
  assert.equal(await areAccepted({ ...pricing, ...leads }), false);
  await makeCanary({ ...leads }, 5, [pageNotOpened]);
  assert.equal(await areAccepted({ ...leads }), false);
  assert.equal(await areAccepted({ ...pricing, ...leads }), false);
  await makeCanary({ ...leads }, 10);
  assert.equal(await areAccepted({ ...pricing, ...leads }), true);
  await site.deploy({ 'mf-pricing': '1.0.1' });
  assert.equal(await areAccepted({ ...leads }), true);
  assert.equal(await areAccepted({ ...pricing }), false, 'no check has compared it with 1.0.1');
});
