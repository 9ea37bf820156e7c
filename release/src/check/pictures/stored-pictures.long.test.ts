import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fragmentFile } from '@countersign/contracts/fragment';
import { documentTemplateFile } from '@countersign/contracts/part-manifest';
import { slotMarker } from '@countersign/contracts/page-markup';
import sharp from 'sharp';
import { applyChange } from '../../deploy/change.ts';
import { compatibleRemote, compatibleShell } from '../../testing/compatible-part.ts';
import { browserOfTests } from '../../testing/config.ts';
import { createTemporaryStore, sampleSite, type TemporaryStore } from '../../testing/temporary-store.ts';
import { checkRelease } from '../check-release.ts';
import { pictureKey, pictureSides, readPictures } from './stored-pictures.ts';

/** A store with version 1.0.0 live, on a page that begins with this markup. */
async function createSite(before = ''): Promise<TemporaryStore> {
  const site = await createTemporaryStore();
  const shell = compatibleShell('1.0.0');
  const template = String(shell[documentTemplateFile]).replace('</h1>', `</h1>${before}`);
  await site.publish({ ...shell, [documentTemplateFile]: template }, compatibleRemote('mf-pricing', '1.0.0'));
  await site.deploy({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  return site;
}

/** Checks a version of mf-pricing with these styles, and returns its pictures. */
async function picturesOf({ store, publish }: TemporaryStore, version: string, css: string) {
  const markup = '<p class="first-module-mf-pricing-Ab12_x">This is mf-pricing</p>';
  await publish(
    compatibleRemote('mf-pricing', version, {
      extra: { [fragmentFile('./first')]: markup, 'exposed.css': css },
    }),
  );
  const live = (await store.readLive())?.release;
  const next = await applyChange(store, live, { kind: 'promote', versions: { 'mf-pricing': version } });
  const { violations } = await checkRelease({
    store,
    next,
    live,
    site: sampleSite,
    browser: browserOfTests,
  });
  assert.deepEqual(violations, []);
  return readPictures(store, 'mf-pricing', version);
}

test('pictures: a block is compared with the live one at 390 and 1280 px in both themes', async () => {
  await using site = await createSite();
  const css = '@media (prefers-color-scheme: dark) { .first-module-mf-pricing-Ab12_x { padding: 5px } }';
  const pictures = await picturesOf(site, '1.1.0', css);
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

test('pictures: a version that looks the same says so, below many slots of others', async () => {
  await using site = await createSite(slotMarker('mf-leads', './first').repeat(41));
  const pictures = await picturesOf(site, '1.1.0', '.first-module-mf-pricing-Ab12_x:hover { color: red }');
  assert.deepEqual(pictures && { ...pictures, takenAt: '' }, {
    takenAt: '',
    live: '1.0.0',
    compared: 4,
    changed: [],
  });
});
