import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { documentMarkers, documentTemplateFile } from '@countersign/contracts/part-manifest';
import { partNames } from '@countersign/contracts/remotes';
import { slotMarker } from '@countersign/contracts/slot-markup';
import { JSDOM } from 'jsdom';
import sharp from 'sharp';
import { comparePicturesOf, type PicturedVersion } from '../check/pictures/compare-pictures.ts';
import { deployRelease } from '../deploy/deploy-release.ts';
import type { OwnerNames } from '../access/owners.ts';
import { pruneStore } from '../store/prune-store.ts';
import { ReleaseStore } from '../store/release-store.ts';
import { builtRemote, builtShell } from '../testing/built-part.ts';
import { interleave } from '../testing/interleaved-store.ts';
import {
  createTemporaryStore,
  sampleSite,
  storeKinds,
  type TemporaryStore,
} from '../testing/temporary-store.ts';
import { boardKey, writeBoard } from './write-board.ts';

const anybody = Object.fromEntries(partNames.map((part) => [part, ['*']])) as OwnerNames;

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

async function boardOf({ objects }: Pick<ReleaseStore, 'objects'>): Promise<string> {
  return new TextDecoder().decode((await objects.read(boardKey))?.bytes);
}

const textOf = (element: Element | null | undefined) => element?.textContent?.replaceAll(/\s+/g, ' ').trim();

test('release board: shows blocks, versions with their roles, and the history', async () => {
  await using site = await createSite();
  const { store } = site;
  await site.deploy({ 'mf-pricing': '1.1.0' });
  await site.change({ kind: 'rollback', part: 'mf-pricing', version: '1.0.0', withdraw: true });
  const canary = { kind: 'canary', part: 'mf-pricing', version: '1.2.0', percent: 12.5 } as const;
  await deployRelease(
    store,
    canary,
    () => sampleSite,
    { who: 'anna', why: 'new prices' },
    async () => ['too big'],
  );
  await writeBoard(store, { ...anybody, 'mf-pricing': ['anna', 'ben'], 'mf-leads': [] });

  const { document } = new JSDOM(await boardOf(store)).window;
  const all = (selector: string) =>
    [...document.querySelectorAll(selector)].map((element) => textOf(element));
  assert.deepEqual(all('.block'), [
    'First mf-header every releaser not live: the slot is empty',
    'Second block mf-pricing anna, ben 1.0.0 1.2.0 for 12.5 %',
  ]);
  assert.deepEqual(all('.part:nth-child(4) .version'), ['1.0.0live', '1.2.0canary 12.5 %', '1.1.0withdrawn']);
  assert.deepEqual(all('.part:nth-child(5)'), [
    'mf-leads no owner Not live yet. Publish and promote a version.',
  ]);
  assert.deepEqual(all('.history > li').length, 4);
  assert.match(
    all('.history > li')[0] ?? '',
    /^Canary mf-pricing 1\.0\.0 → to 1\.0\.0, 1\.2\.0 for 12\.5 % new prices/,
  );
  assert.match(
    all('.history > li')[0] ?? '',
    /forced in spite of: too big anna · \d+ \w+ \d{4}, \d\d:\d\d UTC · r-/,
  );
  assert.match(all('#measurements')[0] ?? '', /No figures/);
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
  await writeBoard(site.store, anybody);

  const { document } = new JSDOM(await boardOf(site)).window;
  const [promoted, canary] = document.querySelectorAll('.history li');
  assert.match(textOf(promoted) ?? '', /1\.1\.0 looks like 1\.0\.0 in all 2 pictures/);
  assert.equal(
    textOf(canary?.querySelector('summary')),
    '1.2.0 looks different from 1.0.0 in 1 of 2 pictures',
  );
  const images = [...(canary?.querySelectorAll('img') ?? [])];
  assert.deepEqual(
    images.map((image) => image.alt),
    ['Live, 1.0.0', 'Released, 1.2.0', 'Difference'].map((caption) => `First, 390 px, dark: ${caption}`),
  );
  for (const image of images) {
    const key = image.getAttribute('src')?.replace('../', '') ?? '';
    assert(await site.objects.read(key), key);
  }
});

for (const [kind, createStore] of Object.entries(storeKinds)) {
  test(`release board: verify and prune accept it in a ${kind}`, async () => {
    await using site = await createStore();
    const { store, objects } = site;
    assert.equal(await writeBoard(store, anybody), undefined, 'nothing is live');
    await site.publish(shell);
    const { releaseId } = await site.deploy({ shell: '1.0.0' });
    await writeBoard(store, anybody);
    await writeBoard(store, anybody);
    assert.match(await boardOf(store), new RegExp(releaseId));
    assert.deepEqual(await site.verify(), []);
    const inAMonth = new Date(Date.now() + 40 * 24 * 60 * 60_000);
    assert.deepEqual(await pruneStore(store, { now: inAMonth, remove: true, clockIsRight: true }), {
      versions: [],
      releases: [],
      leftovers: [],
    });
    assert.deepEqual(await objects.list('board/'), [boardKey]);
  });
}

test('release board: a slow writer does not leave the board of an older release', async () => {
  await using site = await createSite();
  const overtaking = interleave(
    site.objects,
    1,
    async () => {
      await site.deploy({ 'mf-pricing': '1.1.0' });
      await writeBoard(site.store, anybody);
    },
    ({ method }) => method === 'overwrite',
  );
  const state = await writeBoard(new ReleaseStore(overtaking.objects), anybody);
  const live = (await site.store.readLive())?.release.releaseId ?? '';
  assert.equal(state?.releaseId, live);
  assert.match(await boardOf(site.store), new RegExp(live));
});

test('release board: missing records and log entries leave gaps only', async () => {
  await using site = await createSite();
  await site.deploy({ 'mf-pricing': '1.1.0' });
  await site.deploy({ 'mf-pricing': '1.2.0' });
  await rm(join(site.directory, 'log/00000001.json'));
  await rm(join(site.directory, 'versions/mf-pricing/1.2.0.json'));
  const state = await writeBoard(site.store, anybody);
  assert.deepEqual(
    state?.history.map(({ sequence }) => sequence),
    [3, 2],
  );
  assert.equal(state.measurements, undefined);
});
