import type { PartName } from '@countersign/contracts/remotes';
import { PNG } from 'pngjs';
import * as z from 'zod/mini';
import { picturesPrefix, type ReleaseStore } from '../../store/release-store.ts';
import { encodeJson, readJson, unlessDamaged } from '../../store/stored-json.ts';
import { areSameFiles, comparePictures, createPictureCutter } from './compare-pictures.ts';
import type { Pictures } from './take-pictures.ts';

/** The sides of a picture, as the names of their files end: `pricing-390-dark-live.png`. */
export const pictureSides = ['live', 'candidate', 'difference'] as const;

const pictureRecord = z.object({
  /** ISO 8601, UTC. */
  takenAt: z.string(),
  /** The live version that the candidate was compared with. */
  live: z.string(),
  /** Number of pictures of each version. */
  compared: z.number(),
  /** The pictures that differ. */
  changed: z.array(
    z.object({
      /** Block, width of the window in pixels, and theme: `pricing-390-dark`. */
      name: z.string().check(z.regex(/^[\w-]+$/)),
      /** That differ. Missing if only one of the versions has the block. */
      pixels: z.optional(z.number()),
      sides: z.array(z.enum(pictureSides)),
    }),
  ),
});

/** How a version looks beside the live one, by its last check. */
export type PictureRecord = z.infer<typeof pictureRecord>;

/** Of the pictures of one version. Those beyond it are named, but not stored. */
const maxBytes = 64 * 2 ** 20;

/** Key of a picture in the store. */
export function pictureKey(part: string, version: string, name: string, side: string): string {
  return `${picturesPrefix(part, version)}${name}-${side}.png`;
}

const recordKey = (part: string, version: string) => `${picturesPrefix(part, version)}pictures.json`;

/** `undefined` if the version was not compared with a live one. */
export async function readPictures(
  { objects }: ReleaseStore,
  part: PartName,
  version: string,
): Promise<PictureRecord | undefined> {
  return (await unlessDamaged(readJson(objects, recordKey(part, version), pictureRecord)))?.value;
}

/** A version of a part, and the live version that it is compared with. */
export interface PicturedVersion {
  readonly part: PartName;
  readonly version: string;
  readonly live: string;
}

/** Compares the pictures of a version with those of the live one, and stores those that differ. Those of an earlier check go. */
export async function storePictures(
  { objects }: ReleaseStore,
  { part, version, live }: PicturedVersion,
  before: Pictures,
  after: Pictures,
): Promise<void> {
  await objects.remove(await objects.list(picturesPrefix(part, version)));
  const [cutLive, cutCandidate] = [createPictureCutter(), createPictureCutter()];
  const names = new Set([...before.keys(), ...after.keys()]);
  const changed: PictureRecord['changed'] = [];
  let left = maxBytes;
  for (const name of names) {
    const [old, present] = [before.get(name), after.get(name)];
    if (old && present && areSameFiles(old, present)) continue;
    const [oldBlock, presentBlock] = [old && cutLive(old), present && cutCandidate(present)];
    const difference = oldBlock && presentBlock && comparePictures(oldBlock, presentBlock);
    if (oldBlock && presentBlock && !difference) continue;
    const images = { live: oldBlock, candidate: presentBlock, difference: difference?.picture };
    const files = pictureSides.flatMap((side) => {
      const image = images[side];
      return image ? [{ side, bytes: PNG.sync.write(image) }] : [];
    });
    for (const { bytes } of files) left -= bytes.length;
    const stored = left > 0 ? files : [];
    for (const { side, bytes } of stored) {
      await objects.overwrite(pictureKey(part, version, name, side), bytes);
    }
    changed.push({
      name,
      sides: stored.map(({ side }) => side),
      ...(difference && { pixels: difference.pixels }),
    });
  }
  changed.sort((one, other) => (one.name < other.name ? -1 : 1));
  const record: PictureRecord = { takenAt: new Date().toISOString(), live, compared: names.size, changed };
  await objects.overwrite(recordKey(part, version), encodeJson(record));
}

/** What the pictures say, as a predicate of the version: `looks like 1.2.0 in all 4 pictures`. */
export function describePictures({ live, compared, changed }: PictureRecord): string {
  if (changed.length === 0) return `looks like ${live} in all ${compared} pictures`;
  return `looks different from ${live} in ${changed.length} of ${compared} pictures`;
}
