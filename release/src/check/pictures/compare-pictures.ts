import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import type { Picture } from './take-pictures.ts';

/** Two blocks that look different. */
interface PictureDifference {
  /** Number of pixels that differ, without those of smoothed edges. */
  readonly pixels: number;
  /** The pixels that differ in red, on the pale picture of before. */
  readonly picture: PNG;
}

/** Whether two pictures are equal. */
export function areSameFiles(before: Picture, after: Picture): boolean {
  const hasSameBox = (['x', 'y', 'width', 'height'] as const).every(
    (key) => before.box[key] === after.box[key],
  );
  return hasSameBox && before.screenshot.equals(after.screenshot);
}

/** Returns a function that cuts a block out of its screenshot. It keeps the latest screenshot decoded, for the blocks that follow. */
export function createPictureCutter(): (picture: Picture) => PNG {
  let latest: { readonly screenshot: Buffer; readonly decoded: PNG } | undefined;
  return ({ screenshot, box }) => {
    if (latest?.screenshot !== screenshot) latest = { screenshot, decoded: PNG.sync.read(screenshot) };
    const { decoded } = latest;
    const width = Math.min(box.width, decoded.width - box.x);
    const height = Math.min(box.height, decoded.height - box.y);
    const cut = new PNG({ width, height });
    PNG.bitblt(decoded, cut, box.x, box.y, width, height, 0, 0);
    return cut;
  };
}

/** Compares two pictures. `undefined`: a person sees no difference. What is outside of the smaller one differs. */
export function comparePictures(before: PNG, after: PNG): PictureDifference | undefined {
  if (before.width === after.width && before.data.equals(after.data)) return undefined;
  const width = Math.max(before.width, after.width);
  const height = Math.max(before.height, after.height);
  const enlarge = (picture: PNG) => {
    const enlarged = new PNG({ width, height });
    PNG.bitblt(picture, enlarged, 0, 0, picture.width, picture.height, 0, 0);
    return enlarged.data;
  };
  const picture = new PNG({ width, height });
  // Small, because two tints of paper differ by a twentieth. Equal pages give equal pixels, so there is no noise.
  const pixels = pixelmatch(enlarge(before), enlarge(after), picture.data, width, height, {
    threshold: 0.02,
  });
  return pixels === 0 ? undefined : { pixels, picture };
}
