import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { createLiveSite, type TemporaryStore } from '../testing/temporary-store.ts';

const file = ({ objects }: TemporaryStore) => objects.pathOf('parts/mf-pricing/1.0.0/exposed.js');

for (const [what, damage, message] of [
  ['a lost file', async (site) => rm(file(site)), /^mf-pricing 1\.0\.0 has lost exposed\.js\./],
  [
    'a changed file',
    async (site) => writeFile(file(site), 'other code'),
    /^mf-pricing 1\.0\.0 has another exposed\.js than was published\./,
  ],
  [
    'a damaged record',
    async (site) => writeFile(site.objects.pathOf('versions/mf-pricing/1.0.0.json'), '{'),
    /^mf-pricing 1\.0\.0 is in the page and has no valid record\. Publish it again\./,
  ],
  [
    'a changed page',
    async (site) => {
      const releaseId = (await site.store.liveStore.read())?.release.releaseId;
      await writeFile(site.objects.pathOf(`pages/${releaseId}/index.html`), '<p>another</p>');
    },
    /^The pages of release r-\w{12} do not match their hash\./,
  ],
  [
    'a changed compressed copy of a page',
    async (site) => {
      const releaseId = (await site.store.liveStore.read())?.release.releaseId;
      const copy = brotliCompressSync('<p>another</p>');
      await writeFile(site.objects.pathOf(`pages/${releaseId}/index.html.br`), copy);
    },
    /^Visitors get another page than that of release r-\w{12}: theirs has another index\.html\.br /,
  ],
  [
    'another page for visitors',
    async (site) => {
      const liveId = (await site.store.liveStore.read())?.release.releaseId;
      const other = (await site.store.releaseIds()).find((id) => id !== liveId);
      await site.objects.linkCurrent(`pages/${other}/`);
    },
    /^Visitors get another \S+ than that of release /,
  ],
] as readonly (readonly [string, (site: TemporaryStore) => Promise<void>, RegExp])[]) {
  test(`verify: ${what} is reported`, async () => {
    await using site = await createLiveSite({ shell: '1.0.0' }, { 'mf-pricing': '1.0.0' });
    assert.deepEqual(await site.verify(), []);
    await damage(site);
    assert.match((await site.verify()).at(-1) ?? '', message);
  });
}
