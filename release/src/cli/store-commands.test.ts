import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minAge } from '../deploy/prune-store.ts';
import { builtRemote } from '../testing/built-part.ts';
import { createLiveSite } from '../testing/temporary-store.ts';
import { openContext } from './command-context.ts';
import { readConfig } from './config.ts';
import { prune } from './store-commands.ts';

test('prune: forgets which sets were sound once it removes something', async ({ mock }) => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  await site.publish(builtRemote('mf-leads', '1.0.0'));
  const { store } = site;
  await store.checkRecords.addSound('a set');
  const context = { ...openContext(readConfig({})), store };
  await prune({ name: 'prune' }, context);
  assert.equal(await store.checkRecords.wasSound('a set'), true);
  mock.timers.enable({ apis: ['Date'], now: Date.now() + minAge + 60_000 });
  await prune({ name: 'prune', yes: true }, context);
  assert.equal(await store.checkRecords.wasSound('a set'), false);
});
