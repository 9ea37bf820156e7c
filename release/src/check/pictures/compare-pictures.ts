import { isDeepStrictEqual } from 'node:util';
import type { Browser } from 'playwright-core';
import type { PartName } from '@countersign/contracts/remotes';
import { picturesPrefix, type ReleaseStore } from '../../store/release-store.ts';
import { encodeJson } from '../../store/stored-json.ts';
import { pictureKey, pictureRecordKey, type PictureRecord } from './stored-pictures.ts';
import type { Picture } from './take-pictures.ts';

/** A version of a part, and the live version that it is compared with. */
interface PicturedVersion {
  readonly part: PartName;
  readonly version: string;
  readonly live: string;
  /** Journeys that it drops or changes. */
  readonly journeys?: PictureRecord['journeys'];
}

/**
 * Compares pictures of a version with those of the live one, and stores the blocks that differ, in place of those of an earlier
 * check. Equal pages give equal pixels, so there is no noise.
 */
export async function storePictures(
  { objects }: ReleaseStore,
  browser: Browser,
  { part, version, live, journeys }: PicturedVersion,
  pictures: readonly { readonly live: Picture; readonly candidate: Picture }[],
): Promise<void> {
  await objects.remove(await objects.list(picturesPrefix(part, version)));
  // Not in a page of the parts, whose scripts could change what it draws.
  await using context = await browser.newContext();
  const page = await context.newPage();
  let compared = 0;
  const changed: PictureRecord['changed'] = [];
  for (const { live: before, candidate: after } of pictures) {
    const blocks = new Set([...Object.keys(before.blocks), ...Object.keys(after.blocks)]);
    compared += blocks.size;
    if (isDeepStrictEqual(before, after)) continue;
    const images = {
      live: await page.evaluate(cutBlocks, before),
      candidate: await page.evaluate(cutBlocks, after),
    };
    for (const block of blocks) {
      if (images.live[block] === images.candidate[block]) continue;
      const name = `${block}-${before.name}`;
      const sides = (['live', 'candidate'] as const).filter((side) => images[side][block] !== undefined);
      changed.push({ name, sides });
      for (const side of sides) {
        const image = Buffer.from(images[side][block] ?? '', 'base64');
        await objects.overwrite(pictureKey(part, version, name, side), image);
      }
    }
  }
  changed.sort((one, other) => (one.name < other.name ? -1 : 1));
  const record: PictureRecord = {
    takenAt: new Date().toISOString(),
    live,
    ...(journeys && { journeys }),
    compared,
    changed,
  };
  await objects.overwrite(pictureRecordKey(part, version), encodeJson(record));
}

/** Runs in an empty page: cuts the blocks out of a screenshot. PNG in Base64. */
async function cutBlocks({ screenshot, blocks }: Picture): Promise<Record<string, string>> {
  const image = new Image();
  image.src = `data:image/png;base64,${screenshot}`;
  await image.decode();
  const cut = Object.entries(blocks).map(([name, { x, y, width, height }]) => {
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    canvas.getContext('2d')?.drawImage(image, -x, -y);
    return [name, canvas.toDataURL().replace('data:image/png;base64,', '')];
  });
  return Object.fromEntries(cut) as Record<string, string>;
}
