import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

/** Two pictures that show the same place in different ways. */
interface PictureDifference {
  /** Number of pixels that differ, without those of smoothed edges. */
  readonly pixels: number;
  /** PNG: the pixels that differ in red, on the pale picture of before. */
  readonly picture: Buffer;
}

/** Compares two PNG files. `undefined`: a person sees no difference. What is outside of the smaller one differs. */
export function comparePictures(before: Buffer, after: Buffer): PictureDifference | undefined {
  if (before.equals(after)) return undefined;
  const [first, second] = [PNG.sync.read(before), PNG.sync.read(after)];
  const width = Math.max(first.width, second.width);
  const height = Math.max(first.height, second.height);
  const enlarge = (picture: PNG) => {
    const enlarged = new PNG({ width, height });
    PNG.bitblt(picture, enlarged, 0, 0, picture.width, picture.height, 0, 0);
    return enlarged.data;
  };
  const difference = new PNG({ width, height });
  // Small, because two tints of paper differ by a twentieth. Equal pages give equal files, so there is no noise.
  const pixels = pixelmatch(enlarge(first), enlarge(second), difference.data, width, height, {
    threshold: 0.02,
  });
  return pixels === 0 ? undefined : { pixels, picture: PNG.sync.write(difference) };
}
