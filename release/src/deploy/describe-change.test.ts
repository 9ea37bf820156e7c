import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLiveSite } from '../testing/temporary-store.ts';
import { describeEntry } from './describe-change.ts';
import { freeze } from './freeze.ts';
import { removeVersion } from './remove-version.ts';

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
