import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeze } from '../deploy/freeze.ts';
import { createLiveSite } from '../testing/temporary-store.ts';
import { check } from './check-command.ts';
import { openContext } from './command-context.ts';
import { readConfig } from './config.ts';

test('check: names a freeze and a live version, but no pictures of an earlier check', async () => {
  await using site = await createLiveSite({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  const record = { takenAt: '2026-01-01T08:00:00.000Z', live: '0.9.0', compared: 4, changed: [] };
  const key = 'checks/pictures/mf-pricing/1.0.0/pictures.json';
  await site.objects.overwrite(key, Buffer.from(JSON.stringify(record)));
  await freeze(site.store, 'mf-pricing', '2999-01-01T00:00Z', { who: 'page-team', why: 'the launch' });
  const context = { ...openContext(readConfig({})), store: site.store };
  // A version that is live already needs no browser.
  const output = await check({ name: 'check', versions: { 'mf-pricing': '1.0.0' } }, context);
  assert.deepEqual(output?.lines, [
    'mf-pricing is frozen until 2999-01-01T00:00Z, by page-team (the launch).',
    'mf-pricing 1.0.0 is live already',
  ]);
});
