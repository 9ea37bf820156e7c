import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextRelease } from '../deploy/next-release.ts';
import { builtRemote, builtShell } from '../testing/built-part.ts';
import { createTemporaryStore, sampleSiteConfig } from '../testing/temporary-store.ts';
import { composePages } from './compose-pages.ts';

test('release ID: replacing its placeholder gives the pages that are composed with it', async () => {
  await using site = await createTemporaryStore();
  await site.publish(builtShell('1.0.0'), builtRemote('mf-pricing', '1.0.0'));
  const change = { kind: 'promote', versions: { shell: '1.0.0', 'mf-pricing': '1.0.0' } } as const;
  const { release, pages } = await nextRelease(site.store, undefined, change, sampleSiteConfig);
  assert.deepEqual(pages, await composePages(site.store, release, sampleSiteConfig));
});
