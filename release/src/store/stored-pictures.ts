import { hash } from 'node:crypto';
import * as z from 'zod';
import type { ObjectStore } from './object-store.ts';
import { encodeJson, readJson, unlessDamaged } from './stored-json.ts';
import type { NamedVersion } from './stored-records.ts';

const pictureComparison = z.object({
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
export type PictureComparison = z.infer<typeof pictureComparison>;

export const pictureSides = ['live', 'candidate'] as const;

/** The live page and the one with the candidate, for the same window and theme. */
export interface PicturePair {
  /** Width of the window in pixels, and theme: `390-dark`. */
  readonly name: string;
  /** PNG in Base64. */
  readonly live: string;
  readonly candidate: string;
}

interface ComparedVersion extends NamedVersion {
  readonly liveVersion: string;
  readonly journeys: PictureComparison['journeys'] | undefined;
}

const folderOf = ({ part, version }: NamedVersion) => `checks/pictures/${part}/${version}/`;
const comparisonKey = (named: NamedVersion) => `${folderOf(named)}pictures.json`;

/** Path of a picture: its key in the store, and its path beside the release board. */
export function picturePath(named: NamedVersion, name: string, side: string): string {
  return `${folderOf(named)}${name}-${side}.png`;
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
  async replace(compared: ComparedVersion, pairs: readonly PicturePair[]): Promise<void> {
    if (pairs.length === 0) return;
    await this.remove(compared);
    const changed = pairs.filter((pair) => pair.live !== pair.candidate);
    for (const pair of changed) {
      for (const side of pictureSides) {
        const bytes = Buffer.from(pair[side], 'base64');
        await this.#objects.overwrite(picturePath(compared, pair.name, side), bytes);
      }
    }
    const comparison: PictureComparison = {
      takenAt: new Date().toISOString(),
      live: compared.liveVersion,
      journeys: compared.journeys,
      compared: pairs.length,
      changed: changed.map(({ name }) => name),
    };
    await this.#objects.overwrite(comparisonKey(compared), encodeJson(comparison));
  }

  /** Stores the picture of a journey that is broken with a version. Resolves to its location, for messages. */
  async addJourney(named: NamedVersion, journey: string, picture: Uint8Array): Promise<string> {
    const name = journey.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 60);
    // The hash tells names apart that differ in other letters only.
    const key = picturePath(named, `${name}-${hash('sha256', journey).slice(0, 8)}`, 'journey');
    await this.#objects.overwrite(key, picture);
    return `${this.#objects.displayName}/${key}`;
  }

  /** How a version compares with the live one; `undefined` if it was not compared. */
  async read(named: NamedVersion): Promise<PictureComparison | undefined> {
    return unlessDamaged(readJson(this.#objects, comparisonKey(named), pictureComparison));
  }

  /** The picture at a {@link picturePath}; `undefined` for other paths. */
  async readPicture(wanted: string): Promise<Uint8Array | undefined> {
    return path.test(wanted) ? (await this.#objects.read(wanted))?.bytes : undefined;
  }

  /** Where the pictures of a version are, for messages. */
  locationOf(named: NamedVersion): string {
    return `${this.#objects.displayName}/${folderOf(named)}`;
  }

  async remove(named: NamedVersion): Promise<void> {
    await this.#objects.remove(await this.#objects.list(folderOf(named)));
  }
}
