import pixelmatch from 'pixelmatch';
import sharp, { type Sharp } from 'sharp';
import type { PartName } from '@countersign/contracts/remotes';
import { picturesPrefix, type ReleaseStore } from '../../store/release-store.ts';
import { encodeJson } from '../../store/stored-json.ts';
import { pictureKey, pictureRecordKey, pictureSides, type PictureRecord } from './stored-pictures.ts';
import type { Picture, Pictures } from './take-pictures.ts';

/** A version of a part, and the live version that it is compared with. */
export interface PicturedVersion {
  readonly part: PartName;
  readonly version: string;
  readonly live: string;
  /** Journeys that it drops or changes. */
  readonly journeys?: PictureRecord['journeys'];
}

/** Compares pictures of a version with those of the live one, and stores those that differ, in place of those of an earlier check. */
export async function storePictures(
  { objects }: ReleaseStore,
  { part, version, live, journeys }: PicturedVersion,
  pictures: readonly { readonly live: Pictures; readonly candidate: Pictures }[],
): Promise<void> {
  await objects.remove(await objects.list(picturesPrefix(part, version)));
  let compared = 0;
  const changed: PictureRecord['changed'] = [];
  for (const { live: before, candidate: after } of pictures) {
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      compared += 1;
      const [one, other] = [before.get(name), after.get(name)];
      if (one && other && areSame(one, other)) continue;
      const [liveBlock, candidateBlock] = await Promise.all([one && cut(one), other && cut(other)]);
      const difference = liveBlock && candidateBlock && (await compareBlocks(liveBlock, candidateBlock));
      if (difference?.pixels === 0) continue;
      const images = { live: liveBlock, candidate: candidateBlock, difference: difference?.picture };
      const sides = pictureSides.filter((side) => images[side]);
      for (const side of sides) {
        const image = images[side];
        if (!image) continue;
        await objects.overwrite(pictureKey(part, version, name, side), await imageOf(image).png().toBuffer());
      }
      changed.push({ name, sides, ...(difference && { pixels: difference.pixels }) });
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

/** Decoded pixels, four bytes each. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Buffer;
}

/** Whether two pictures are equal, without decoding them. */
function areSame(before: Picture, after: Picture): boolean {
  const keys = ['x', 'y', 'width', 'height'] as const;
  return (
    keys.every((key) => before.box[key] === after.box[key]) && before.screenshot.equals(after.screenshot)
  );
}

/** Cuts a block out of its screenshot. */
function cut({ screenshot, box: { x: left, y: top, width, height } }: Picture): Promise<Pixels> {
  return readPixels(sharp(screenshot).extract({ left, top, width, height }));
}

/** Compares two pictures. The area outside of the smaller one differs. The difference is red, on the live picture in pale colours. */
async function compareBlocks(before: Pixels, after: Pixels) {
  const width = Math.max(before.width, after.width);
  const height = Math.max(before.height, after.height);
  const enlarge = async (picture: Pixels) => {
    const [right, bottom] = [width - picture.width, height - picture.height];
    const transparent = { r: 0, g: 0, b: 0, alpha: 0 };
    return (await readPixels(imageOf(picture).extend({ right, bottom, background: transparent }))).data;
  };
  const data = Buffer.alloc(width * height * 4);
  // Small, because two background colours of the page differ by only a twentieth. Equal pages give equal pixels, so there is no noise.
  const options = { threshold: 0.02 };
  const pixels = pixelmatch(await enlarge(before), await enlarge(after), data, width, height, options);
  return { pixels, picture: { width, height, data } };
}

function imageOf({ data, width, height }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels: 4 } });
}

async function readPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
