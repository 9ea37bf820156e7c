import type { PartName } from '@countersign/contracts/remotes';
import pixelmatch from 'pixelmatch';
import sharp, { type Sharp } from 'sharp';
import { picturesPrefix, type ReleaseStore } from '../../store/release-store.ts';
import { encodeJson } from '../../store/stored-json.ts';
import { pictureKey, pictureRecordKey, pictureSides, type PictureRecord } from './stored-pictures.ts';
import type { Picture, Pictures } from './take-pictures.ts';

/** Limit of the stored pictures of one version. The record names those beyond it, without their sides. */
const maxBytes = 64 * 2 ** 20;

/** A version of a part, and the live version that it is compared with. */
export interface PicturedVersion {
  readonly part: PartName;
  readonly version: string;
  readonly live: string;
  /** Journeys that it drops or changes. */
  readonly journeys?: PictureRecord['journeys'];
}

/** A comparison in several steps, so that some pictures are compared while the browser takes the next. */
interface PictureComparison {
  /** Compares pictures of the live version with those of the candidate, and stores those that differ. Calls may overlap. */
  add(live: Pictures, candidate: Pictures): Promise<void>;
  /** To be called after all of them. */
  finish(): Promise<void>;
}

/** Begins to compare the pictures of a version with those of the live one. Removes those of an earlier check. */
export async function comparePicturesOf(
  { objects }: ReleaseStore,
  { part, version, live, journeys }: PicturedVersion,
): Promise<PictureComparison> {
  await objects.remove(await objects.list(picturesPrefix(part, version)));
  let compared = 0;
  const changed: PictureRecord['changed'] = [];
  let bytesLeft = maxBytes;
  /** Stores those sides of a picture that exist, and returns their names. Beyond the limit, nothing more is stored. */
  const storeSides = async (name: string, images: Readonly<Record<PictureSide, Pixels | undefined>>) => {
    const sides: PictureSide[] = [];
    for (const side of pictureSides) {
      const image = images[side];
      if (!image || bytesLeft < 0) continue;
      const bytes = await imageOf(image).png().toBuffer();
      bytesLeft -= bytes.length;
      if (bytesLeft < 0) continue;
      await objects.overwrite(pictureKey(part, version, name, side), bytes);
      sides.push(side);
    }
    return sides;
  };
  return {
    async add(livePictures, candidatePictures) {
      const [cutLive, cutCandidate] = [createPictureCutter(), createPictureCutter()];
      for (const name of new Set([...livePictures.keys(), ...candidatePictures.keys()])) {
        compared += 1;
        const [before, after] = [livePictures.get(name), candidatePictures.get(name)];
        if (before && after && areSameFiles(before, after)) continue;
        const [liveBlock, candidateBlock] = await Promise.all([
          before && cutLive(before),
          after && cutCandidate(after),
        ]);
        const difference = liveBlock && candidateBlock && (await comparePictures(liveBlock, candidateBlock));
        if (liveBlock && candidateBlock && !difference) continue;
        const images = { live: liveBlock, candidate: candidateBlock, difference: difference?.picture };
        const sides = await storeSides(name, images);
        changed.push({ name, sides, ...(difference && { pixels: difference.pixels }) });
      }
    },
    async finish() {
      changed.sort((one, other) => (one.name < other.name ? -1 : 1));
      const record: PictureRecord = {
        takenAt: new Date().toISOString(),
        live,
        ...(journeys && { journeys }),
        compared,
        changed,
      };
      await objects.overwrite(pictureRecordKey(part, version), encodeJson(record));
    },
  };
}

type PictureSide = (typeof pictureSides)[number];

/** Decoded pixels, four bytes each. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Buffer;
}

/** Two blocks that look different. */
interface PictureDifference {
  /** Number of pixels that differ, without those of smoothed edges. */
  readonly pixels: number;
  /** The pixels that differ in red, on the live picture in pale colours. */
  readonly picture: Pixels;
}

/** Whether two pictures are equal, without decoding them. */
function areSameFiles(before: Picture, after: Picture): boolean {
  const hasSameBox = (['x', 'y', 'width', 'height'] as const).every(
    (key) => before.box[key] === after.box[key],
  );
  return hasSameBox && before.screenshot.equals(after.screenshot);
}

/** Returns a function that cuts a block out of its screenshot. It decodes the screenshot once for all blocks on it, which follow each other. */
function createPictureCutter(): (picture: Picture) => Promise<Pixels> {
  let latest: { readonly screenshot: Buffer; readonly decoded: Promise<Pixels> } | undefined;
  return async ({ screenshot, box }) => {
    if (latest?.screenshot !== screenshot) latest = { screenshot, decoded: readPixels(sharp(screenshot)) };
    const decoded = await latest.decoded;
    const width = Math.min(box.width, decoded.width - box.x);
    const height = Math.min(box.height, decoded.height - box.y);
    return readPixels(imageOf(decoded).extract({ left: box.x, top: box.y, width, height }));
  };
}

/** Compares two pictures; `undefined` if a person sees no difference. The area outside of the smaller one differs. */
async function comparePictures(before: Pixels, after: Pixels): Promise<PictureDifference | undefined> {
  if (before.width === after.width && before.data.equals(after.data)) return undefined;
  const width = Math.max(before.width, after.width);
  const height = Math.max(before.height, after.height);
  const enlarge = async (picture: Pixels) => {
    const [right, bottom] = [width - picture.width, height - picture.height];
    const transparent = { r: 0, g: 0, b: 0, alpha: 0 };
    return (await readPixels(imageOf(picture).extend({ right, bottom, background: transparent }))).data;
  };
  const data = Buffer.alloc(width * height * 4);
  // Small, because two background colours of the page differ by only a twentieth. Equal pages give equal pixels, so there is no noise.
  const pixels = pixelmatch(await enlarge(before), await enlarge(after), data, width, height, {
    threshold: 0.02,
  });
  return pixels === 0 ? undefined : { pixels, picture: { width, height, data } };
}

function imageOf({ data, width, height }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels: 4 } });
}

async function readPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
