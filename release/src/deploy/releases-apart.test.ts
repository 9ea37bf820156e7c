import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partNames, remoteNames } from '@countersign/contracts/remotes';
import { builtRemote, builtShell } from '../testing/built-part.ts';
import { createSiteOf } from '../testing/temporary-store.ts';

test('deploy: releasing or rolling back a part changes no file of any published version', async () => {
  await using site = await createSiteOf(
    builtShell('1.0.0'),
    ...remoteNames.map((name) => builtRemote(name, '1.0.0')),
  );
  await site.publish(builtRemote('mf-pricing', '1.1.0'));
  const stored = async () => {
    // Without deltas, which are added to new versions.
    const keys = (await site.objects.list('parts/')).filter((key) => !key.includes('/deltas/'));
    return Promise.all(keys.map(async (key) => [key, await site.objects.read(key)]));
  };
  const before = await stored();
  assert(before.length > 10 * partNames.length);
  await site.change({ kind: 'canary', part: 'mf-pricing', version: '1.1.0', percent: 10 });
  await site.deploy({ 'mf-pricing': '1.1.0' });
  await site.change({ kind: 'rollback', part: 'mf-pricing' });
  assert.deepEqual(await stored(), before);
});
