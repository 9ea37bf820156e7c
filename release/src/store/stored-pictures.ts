import { hash } from 'node:crypto';
import type { PartName } from '@countersign/contracts/remotes';
import * as z from 'zod';
import type { ObjectStore } from './object-store.ts';
import { encodeJson, readJson, unlessDamaged } from './stored-json.ts';

const pictureRecord = z.object({
  /** ISO 8601, UTC. */
  takenAt: z.string(),
  /** The live version that the candidate was compared with. */
  live: z.string(),
  /** Journeys of the live version that this one does not have, or has with other steps. */
  journeys: z.object({ dropped: z.array(z.string()), changed: z.array(z.string()) }).optional(),
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
  readonly liveVersion: string;
  readonly journeys: PictureRecord['journeys'] | undefined;
}

const folderOf = (part: string, version: string) => `checks/pictures/${part}/${version}/`;
const pictureRecordKey = (part: string, version: string) => `${folderOf(part, version)}pictures.json`;

/** Path of a picture: its key in the store, and its path beside the release board. */
export function picturePath(part: string, version: string, name: string, side: string): string {
  return `${folderOf(part, version)}${name}-${side}.png`;
}

/** Matches what {@link picturePath} returns. */
const path = /^checks\/pictures\/[\w-]+\/\w[\w.+-]*\/[\w-]+\.png$/;

/** The pictures that the check takes of versions. */
export class StoredPictures {
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /**
   * Stores the pictures of a version that differ from those of the live one, in place of those of an earlier check. Equal pages give
   * equal pixels, so there is no noise. Does nothing without pictures.
   */
  async replace(
    { part, version, liveVersion, journeys }: ComparedVersion,
    pairs: readonly PicturePair[],
  ): Promise<void> {
    if (pairs.length === 0) return;
    await this.remove(part, version);
    const changed = pairs.filter((pair) => pair.live !== pair.candidate);
    for (const pair of changed) {
      for (const side of pictureSides) {
        const bytes = Buffer.from(pair[side], 'base64');
        await this.#objects.overwrite(picturePath(part, version, pair.name, side), bytes);
      }
    }
    const record: PictureRecord = {
      takenAt: new Date().toISOString(),
      live: liveVersion,
      journeys,
      compared: pairs.length,
      changed: changed.map(({ name }) => name),
    };
    await this.#objects.overwrite(pictureRecordKey(part, version), encodeJson(record));
  }

  /** Stores the picture of a journey that is broken with a version. Resolves to its location, for messages. */
  async addJourney(part: string, version: string, journey: string, picture: Uint8Array): Promise<string> {
    const name = journey.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 60);
    // The hash tells names apart that differ in other letters only.
    const key = picturePath(part, version, `${name}-${hash('sha256', journey).slice(0, 8)}`, 'journey');
    await this.#objects.overwrite(key, picture);
    return `${this.#objects.displayName}/${key}`;
  }

  /** How a version compares with the live one; `undefined` if it was not compared. */
  async read(part: string, version: string): Promise<PictureRecord | undefined> {
    return unlessDamaged(readJson(this.#objects, pictureRecordKey(part, version), pictureRecord));
  }

  /** The picture at a {@link picturePath}; `undefined` for other paths. */
  async readPicture(wanted: string): Promise<Uint8Array | undefined> {
    return path.test(wanted) ? (await this.#objects.read(wanted))?.bytes : undefined;
  }

  /** Where the pictures of a version are, for messages. */
  locationOf(part: string, version: string): string {
    return `${this.#objects.displayName}/${folderOf(part, version)}`;
  }

  async remove(part: string, version: string): Promise<void> {
    await this.#objects.remove(await this.#objects.list(folderOf(part, version)));
  }
}
