import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fragmentFile } from '@countersign/contracts/fragment';
import sharp from 'sharp';
import { applyChange } from '../../deploy/change.ts';
import { compatibleRemote, compatibleShell } from '../../testing/compatible-part.ts';
import { browserOfTests } from '../../testing/config.ts';
import { createTemporaryStore, sampleSite } from '../../testing/temporary-store.ts';
import { checkRelease } from '../check-release.ts';
import { pictureKey, pictureSides, readPictures } from './stored-pictures.ts';

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
    changed.map(({ name, sides }) => ({ name, sides })),
    ['first-1280-dark', 'first-390-dark'].map((name) => ({ name, sides: pictureSides })),
  );
  const sizes = pictureSides.map(async (side) => {
    const key = pictureKey('mf-pricing', '1.1.0', 'first-390-dark', side);
    const { width, height } = await sharp((await site.objects.read(key))?.bytes).metadata();
    return { width, height };
  });
  const [live, candidate, difference] = await Promise.all(sizes);
  assert(live && candidate);
  assert.deepEqual(candidate, { width: live.width, height: live.height + 10 });
  assert.deepEqual(difference, candidate);
  for (const { pixels = 0 } of changed) assert(pixels >= candidate.width * 10, `${pixels} pixels differ`);

  await site.store.removeVersion('mf-pricing', '1.1.0');
  assert.deepEqual(await site.objects.list('checks/pictures/'), []);
});
