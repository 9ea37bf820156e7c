import * as z from 'zod';
import { errorMessage } from '../platform/errors.ts';
import { mapConcurrently } from '../platform/map-concurrently.ts';
import { ReleaseError } from '../platform/release-error.ts';
import type { ObjectStore } from './object-store.ts';
import { encodeJson, readJson, unlessDamaged } from './stored-json.ts';

/** A version in the store, perhaps of a part that this program does not know. */
export interface NamedVersion {
  readonly part: string;
  readonly version: string;
}
/** A version, or a release, whose files the store has. */
export type Artifact = NamedVersion | { readonly releaseId: string };

/** The key of its record. */
export const recordKey = (artifact: Artifact) =>
  'part' in artifact
    ? `versions/${artifact.part}/${artifact.version}.json`
    : `releases/${artifact.releaseId}.json`;

/**
 * In place of a record while its version or release is being removed. The version or release no longer exists, and cannot be stored
 * again yet. `record` restores it if the removal is refused; a damaged one is not kept. `removal` is the ID of the last removal that
 * marked it, which alone may restore it or remove its files.
 */
const removalMark = z.object({
  isBeingRemoved: z.literal(true),
  removal: z.string(),
  record: z.unknown().optional(),
});

/** The records of versions and releases, without which these do not exist, and the marks of removals. */
export class StoredRecords {
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /** A record; `undefined` if there is none, or the mark of a removal. */
  async read<Value>(artifact: Artifact, schema: z.ZodType<Value>, remedy?: string) {
    const unmarked = z.union([removalMark.transform(() => undefined), schema]);
    return readJson(this.#objects, recordKey(artifact), unmarked, remedy);
  }

  /** Writes an immutable record, and replaces a damaged one. Throws a {@link ReleaseError} if there is the mark of a removal. */
  async add<Value>(artifact: Artifact, schema: z.ZodType<Value>, value: Value): Promise<void> {
    const key = recordKey(artifact);
    if ((await this.#objects.create(key, encodeJson(value))) === 'created') return;
    const found = await unlessDamaged(readJson(this.#objects, key, z.union([removalMark, schema])));
    if (removalMark.safeParse(found).success) throw beingRemoved(artifact);
    if (!found) await this.#objects.overwrite(key, encodeJson(value));
  }

  /**
   * Replaces a record, or the mark of another removal, by a mark. From then on the version or release does
   * not exist, and cannot be stored again before the removal is complete.
   */
  async mark(artifact: Artifact, removalId: string): Promise<void> {
    const key = recordKey(artifact);
    const found = await unlessDamaged(readJson(this.#objects, key, z.unknown()));
    const { data: mark } = removalMark.safeParse(found);
    const record = mark ? mark.record : found;
    await this.#objects.overwrite(key, encodeJson({ isBeingRemoved: true, removal: removalId, record }));
  }

  /** Replaces the marks of one removal, or of any, by the records. Tries each, and returns the different messages of those that failed. */
  async unmark(marked: readonly Artifact[], removalId?: string): Promise<readonly string[]> {
    const messages = await mapConcurrently(marked, (artifact) =>
      this.#unmarkRecord(artifact, removalId).catch(errorMessage),
    );
    return [...new Set(messages.filter((message) => message !== undefined))];
  }

  async #unmarkRecord(artifact: Artifact, removalId?: string): Promise<undefined> {
    const key = recordKey(artifact);
    const mark = await this.#readMark(artifact);
    if (!mark || (removalId !== undefined && mark.removal !== removalId)) return;
    // To publish a version again restores a damaged record.
    if (mark.record === undefined) await this.#objects.remove([key]);
    else await this.#objects.overwrite(key, encodeJson(mark.record));
  }

  /** Throws a {@link ReleaseError} if there is the mark of a removal. */
  async assertNotBeingRemoved(artifact: Artifact): Promise<void> {
    if (await this.#readMark(artifact)) throw beingRemoved(artifact);
  }

  async #readMark(artifact: Artifact) {
    return unlessDamaged(readJson(this.#objects, recordKey(artifact), removalMark));
  }

  /** The ID of the removal that has marked a version or release last, if one is not complete. */
  async removalOf(artifact: Artifact): Promise<string | undefined> {
    return (await this.#readMark(artifact))?.removal;
  }

  async remove(artifact: Artifact): Promise<void> {
    await this.#objects.remove([recordKey(artifact)]);
  }
}

function beingRemoved(artifact: Artifact): ReleaseError {
  const [name, remove] =
    'part' in artifact
      ? [`${artifact.part} ${artifact.version}`, `"remove ${artifact.part} ${artifact.version}" or "prune"`]
      : [`Release ${artifact.releaseId}`, '"prune"'];
  return new ReleaseError(
    `${name} is being removed. Repeat the command when that is done; ${remove} completes an interrupted removal.`,
  );
}
