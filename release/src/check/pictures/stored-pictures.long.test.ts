import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fragmentFile } from '@countersign/contracts/fragment';
import { applyChange } from '../../deploy/change.ts';
import { compatibleRemote, compatibleShell } from '../../testing/compatible-part.ts';
import { browserOfTests } from '../../testing/config.ts';
import { createTemporaryStore, sampleSite } from '../../testing/temporary-store.ts';
import { checkRelease } from '../check-release.ts';
import { pictureKey, readPictures } from './stored-pictures.ts';

test('pictures: a block is compared with the live one at 390 and 1280 px in both themes', async () => {
  await using site = await createTemporaryStore();
  const css = '@media (prefers-color-scheme: dark) { .first-module-mf-pricing-Ab12_x { padding: 5px } }';
  const extra = {
    [fragmentFile('./first')]: '<p class="first-module-mf-pricing-Ab12_x">This is mf-pricing</p>',
  };
  const [before, after] = [
    { ...extra, 'exposed.css': '' },
    { ...extra, 'exposed.css': css },
  ];
  await site.publish(
    compatibleShell('1.0.0'),
    compatibleRemote('mf-pricing', '1.0.0', { extra: before }),
    compatibleRemote('mf-pricing', '1.1.0', { extra: after }),
  );
  const release = await site.deploy({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  const next = await applyChange(site.store, release, {
    kind: 'promote',
    versions: { 'mf-pricing': '1.1.0' },
  });
  const checked = { store: site.store, next, live: release, site: sampleSite, browser: browserOfTests };
  assert.deepEqual((await checkRelease(checked)).violations, []);
  const pictures = await readPictures(site.store, 'mf-pricing', '1.1.0');
  assert(pictures);
  const { changed, ...rest } = pictures;
  assert.deepEqual({ ...rest, takenAt: '' }, { takenAt: '', live: '1.0.0', compared: 4 });
  assert.deepEqual(
    changed,
    ['first-1280-dark', 'first-390-dark'].map((name) => ({ name, sides: ['live', 'candidate'] })),
  );
  const heights = ['live', 'candidate'].map(async (side) => {
    const key = pictureKey('mf-pricing', '1.1.0', 'first-390-dark', side);
    const { bytes = assert.fail() } = (await site.objects.read(key)) ?? {};
    // In the header of a PNG.
    return Buffer.from(bytes).readUInt32BE(20);
  });
  const [live = 0, candidate] = await Promise.all(heights);
  assert.equal(candidate, live + 10);

  await site.store.removeVersion('mf-pricing', '1.1.0');
  assert.deepEqual(await site.objects.list('checks/pictures/'), []);
});
