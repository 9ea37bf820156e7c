import type { PartName } from '@countersign/contracts/remotes';
import * as z from 'zod/mini';
import { picturesPrefix, type ReleaseStore } from '../../store/release-store.ts';
import { readJson, unlessDamaged } from '../../store/stored-json.ts';

const pictureRecord = z.object({
  /** ISO 8601, UTC. */
  takenAt: z.string(),
  /** The live version that the candidate was compared with. */
  live: z.string(),
  /** Journeys of the live version that this one does not have, or has with other steps. */
  journeys: z.optional(z.object({ dropped: z.array(z.string()), changed: z.array(z.string()) })),
  /** Number of pairs of pictures. A block that only one version has counts, too. */
  compared: z.number(),
  /** The pictures that differ. */
  changed: z.array(
    z.object({
      /** Block, width of the window in pixels, and theme: `pricing-390-dark`. */
      name: z.string().check(z.regex(/^[\w-]+$/)),
      /** `live` and `candidate`, unless only one of the versions has the block. */
      sides: z.array(z.string().check(z.regex(/^[a-z]+$/))),
    }),
  ),
});

/** How a version looks beside the live one, by its last check. */
export type PictureRecord = z.infer<typeof pictureRecord>;

/** Key of a picture in the store. */
export function pictureKey(part: string, version: string, name: string, side: string): string {
  return `${picturesPrefix(part, version)}${name}-${side}.png`;
}

export const pictureRecordKey = (part: string, version: string) =>
  `${picturesPrefix(part, version)}pictures.json`;

/** `undefined` if the version was not compared with a live one. */
export async function readPictures(
  { objects }: ReleaseStore,
  part: PartName,
  version: string,
): Promise<PictureRecord | undefined> {
  return (await unlessDamaged(readJson(objects, pictureRecordKey(part, version), pictureRecord)))?.value;
}

/** What the record says, as a predicate of the version: `looks like 1.2.0 in all 4 pictures, and drops the journey "…"`. */
export function describePictures({ live, compared, changed, journeys }: PictureRecord): string {
  const looks =
    changed.length === 0
      ? `looks like ${live} in all ${compared} pictures`
      : `looks different from ${live} in ${changed.length} of ${compared} pictures`;
  const { dropped = [], changed: rewritten = [] } = journeys ?? {};
  const promises = [
    ...dropped.map((name) => `drops the journey "${name}"`),
    ...rewritten.map((name) => `changes the journey "${name}"`),
  ];
  return [looks, ...promises].join(', and ');
}
