import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { documentMarkers, documentTemplateFile } from '@countersign/contracts/part-manifest';
import { slotMarker } from '@countersign/contracts/page-markup';
import { JSDOM } from 'jsdom';
import sharp from 'sharp';
import { comparePicturesOf, type PicturedVersion } from '../check/pictures/compare-pictures.ts';
import { deployRelease } from '../deploy/deploy-release.ts';
import { ReleaseStore } from '../store/release-store.ts';
import { builtRemote, builtShell } from '../testing/built-part.ts';
import { interleave } from '../testing/interleaved-store.ts';
import { createTemporaryStore, sampleSite, type TemporaryStore } from '../testing/temporary-store.ts';
import { boardKey, updateBoard } from './write-board.ts';

const { policy, head, scripts } = documentMarkers;
const slots = [slotMarker('mf-header', './first'), slotMarker('mf-pricing', './second-block')].join('');
const shell = builtShell('1.0.0', {
  [documentTemplateFile]: `<!doctype html><head>${policy}${head}</head><body>${slots}${scripts}</body>`,
});

async function createSite(): Promise<TemporaryStore> {
  const site = await createTemporaryStore();
  await site.publish(
    shell,
    ...['1.0.0', '1.1.0', '1.2.0'].map((version) => builtRemote('mf-pricing', version)),
  );
  await site.deploy({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  return site;
}

/** Writes the board, which must succeed, and reads it. */
async function boardOf({ root, store }: TemporaryStore, owners: object = { '*': ['*'] }): Promise<Document> {
  const file = join(root, 'owners.json');
  await writeFile(file, JSON.stringify(owners));
  await updateBoard(store, file, assert.fail);
  const found = await store.objects.read(boardKey);
  return new JSDOM(new TextDecoder().decode(found?.bytes)).window.document;
}

const textsOf = (root: ParentNode, selector: string) =>
  [...root.querySelectorAll(selector)].map((element) => element.textContent.replaceAll(/\s+/g, ' ').trim());

test('release board: shows parts, blocks and the history', async () => {
  await using site = await createSite();
  await site.deploy({ 'mf-pricing': '1.1.0' });
  await deployRelease(
    site.store,
    { kind: 'canary', part: 'mf-pricing', version: '1.2.0', percent: 12.5 },
    () => sampleSite,
    { who: 'anna', why: 'new prices' },
    async () => ['too big'],
  );
  const board = await boardOf(site, { '*': ['*'], 'mf-pricing': ['anna', 'ben'], 'mf-leads': [] });
  const rows = textsOf(board, 'tr');
  assert.equal(rows[1], 'shell every releaser 1.0.0 – –');
  assert.equal(rows[4], 'mf-pricing anna, ben 1.1.0 1.0.0 1.2.0 for 12.5 %');
  assert.equal(rows[5], 'mf-leads no owner – – –');
  assert.deepEqual(textsOf(board, '.blocks li'), [
    'First mf-header not live: the slot is empty · every releaser',
    'Second block mf-pricing 1.1.0 · anna, ben',
  ]);
  const history = textsOf(board, '.history > li');
  assert.equal(history.length, 3);
  assert.match(
    history[0] ?? '',
    /^canary mf-pricing 1\.1\.0 to 1\.1\.0, 1\.2\.0 for 12\.5 % new prices forced in spite of: too big anna · \d+ \w+ \d{4}, \d\d:\d\d UTC · r-/,
  );
});

test('release board: shows the pictures of a released version beside those of the live one', async () => {
  await using site = await createSite();
  const pictureIn = (background: string) =>
    sharp({ create: { width: 4, height: 2, channels: 3, background } })
      .png()
      .toBuffer();
  const [before, after] = await Promise.all([pictureIn('white'), pictureIn('black')]);
  const version = { part: 'mf-pricing', version: '1.2.0', live: '1.0.0' } as const;
  const pictureOf = (screenshot: Buffer) => ({ screenshot, box: { x: 0, y: 0, width: 4, height: 2 } });
  const pictures = (changed: Buffer) =>
    new Map([
      ['first-390-dark', pictureOf(changed)],
      ['first-390-light', pictureOf(before)],
    ]);
  const compare = async (of: PicturedVersion, live: Buffer) => {
    const comparison = await comparePicturesOf(site.store, of);
    await comparison.add(pictures(live), pictures(after));
    await comparison.finish();
  };
  await compare(version, before);
  await site.change({ kind: 'canary', part: 'mf-pricing', version: '1.2.0', percent: 10 });
  await compare({ ...version, version: '1.1.0' }, after);
  await site.deploy({ 'mf-pricing': '1.1.0' });

  const [promoted = assert.fail(), canary = assert.fail()] = (await boardOf(site)).querySelectorAll(
    '.history li',
  );
  assert.match(promoted.textContent, /1\.1\.0 looks like 1\.0\.0 in all 2 pictures/);
  assert.deepEqual(textsOf(canary, 'summary'), ['1.2.0 looks different from 1.0.0 in 1 of 2 pictures']);
  const images = [...canary.querySelectorAll('img')];
  assert.deepEqual(
    images.map((image) => image.alt),
    ['Live, 1.0.0', 'Released, 1.2.0', 'Difference'].map((caption) => `First, 390 px, dark: ${caption}`),
  );
  for (const image of images) {
    const key = image.getAttribute('src')?.replace('../', '') ?? '';
    assert(await site.objects.read(key), key);
  }
});

test('release board: a slow writer does not leave the board of an older release', async () => {
  await using site = await createSite();
  const overtaking = interleave(
    site.objects,
    1,
    async () => {
      await site.deploy({ 'mf-pricing': '1.1.0' });
      await boardOf(site);
    },
    ({ method }) => method === 'overwrite',
  );
  await writeFile(join(site.root, 'owners.json'), '{ "*": ["*"] }');
  await updateBoard(new ReleaseStore(overtaking.objects), join(site.root, 'owners.json'), assert.fail);
  const live = (await site.store.readLive())?.release.releaseId ?? '';
  const found = await site.objects.read(boardKey);
  assert.match(new TextDecoder().decode(found?.bytes), new RegExp(live));
});

test('release board: a missing entry of the history leaves a gap only', async () => {
  await using site = await createSite();
  await site.deploy({ 'mf-pricing': '1.1.0' });
  await site.deploy({ 'mf-pricing': '1.2.0' });
  await rm(join(site.directory, 'history/00000001.json'));
  assert.equal(textsOf(await boardOf(site), '.history > li').length, 2);
});
