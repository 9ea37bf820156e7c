import type { PartName } from '@countersign/contracts/remotes';
import * as z from 'zod/mini';
import { picturesPrefix, type ReleaseStore } from './release-store.ts';
import { encodeJson, readJson, unlessDamaged } from './stored-json.ts';

const pictureRecord = z.object({
  /** ISO 8601, UTC. */
  takenAt: z.string(),
  /** The live version that the candidate was compared with. */
  live: z.string(),
  /** Journeys of the live version that this one does not have, or has with other steps. */
  journeys: z.optional(z.object({ dropped: z.array(z.string()), changed: z.array(z.string()) })),
  /** Number of pairs of pictures. */
  compared: z.number(),
  /** Names of the pairs that differ. Only these are stored. */
  changed: z.array(z.string()),
});

/** How a version looks beside the live one, by its last check. */
export type PictureRecord = z.infer<typeof pictureRecord>;

export const pictureSides = ['live', 'candidate'] as const;

/** The live page and the one with the candidate, for the same window and theme. */
export interface PicturePair {
  /** Width of the window in pixels, and theme: `390-dark`. */
  readonly name: string;
  /** PNG in Base64. */
  readonly live: string;
  readonly candidate: string;
}

interface ComparedVersion {
  readonly part: PartName;
  readonly version: string;
  readonly live: string;
  readonly journeys: PictureRecord['journeys'] | undefined;
}

/** Key of a picture in the store. */
export function pictureKey(part: string, version: string, name: string, side: string): string {
  return `${picturesPrefix(part, version)}${name}-${side}.png`;
}

export const pictureRecordKey = (part: string, version: string) =>
  `${picturesPrefix(part, version)}pictures.json`;

/**
 * Stores the pictures of a version that differ from those of the live one, in place of those of an earlier check. Equal pages give equal
 * pixels, so there is no noise. Does nothing without pictures.
 */
export async function storePictures(
  { objects }: ReleaseStore,
  { part, version, live, journeys }: ComparedVersion,
  pairs: readonly PicturePair[],
): Promise<void> {
  if (pairs.length === 0) return;
  await objects.remove(await objects.list(picturesPrefix(part, version)));
  const changed = pairs.filter((pair) => pair.live !== pair.candidate);
  for (const pair of changed) {
    for (const side of pictureSides)
      await objects.overwrite(pictureKey(part, version, pair.name, side), Buffer.from(pair[side], 'base64'));
  }
  const record: PictureRecord = {
    takenAt: new Date().toISOString(),
    live,
    journeys,
    compared: pairs.length,
    changed: changed.map(({ name }) => name),
  };
  await objects.overwrite(pictureRecordKey(part, version), encodeJson(record));
}

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
