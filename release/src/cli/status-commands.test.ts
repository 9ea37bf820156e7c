import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deployRelease } from '../deploy/deploy-release.ts';
import { createTemporaryStore, sampleSiteConfig } from '../testing/temporary-store.ts';
import { builtShell } from '../testing/built-part.ts';
import { openContext } from './command-context.ts';
import { readConfig } from './config.ts';
import { history } from './status-commands.ts';

for (const [what, why, overridden, expected] of [
  ['with a reason', 'new prices', [], 'new prices'],
  ['without a reason', undefined, [], ''],
  ['forced for a reason', 'the page is down', ['Too large.'], 'the page is down; in spite of: Too large.'],
  ['with accepted looks', undefined, ['Another title.', 'Another text.'], 'in spite of: Another title.'],
] as const) {
  test(`history: the reason of a change ${what}`, async () => {
    await using site = await createTemporaryStore();
    await site.publish(builtShell('1.0.0'));
    const change = { kind: 'promote', versions: { shell: '1.0.0' } } as const;
    await deployRelease(
      site.store,
      change,
      () => sampleSiteConfig,
      { who: 'page-team', why },
      async () => overridden,
    );
    const context = { ...openContext(readConfig({})), store: site.store };
    const output = await history({ name: 'history' }, context);
    const [heading = '', line = ''] = output?.lines ?? [];
    assert.equal(line.slice(heading.indexOf('why')), expected);
  });
}
