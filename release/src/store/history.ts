import * as z from 'zod';
import type { ObjectStore } from './object-store.ts';
import { encodeJson, readJson, unlessDamaged } from './stored-json.ts';

const changeFields = {
  /** Name of the releaser. */
  who: z.string(),
  action: z.enum(['promote', 'canary', 'rollback', 'remove', 'freeze', 'unfreeze']),
  /** The changed part. Missing if only the configuration or several parts changed. */
  part: z.string().optional(),
  /**
   * Versions before and after, with the percentage of a canary: `1.0.0, 1.1.0 for 10 %`. For a removal, `from` is what was
   * removed; for a freeze, `to` is its end.
   */
  from: z.string().optional(),
  to: z.string().optional(),
  /** Reason, written by the releaser. */
  why: z.string().optional(),
  /** Messages of the violations and freezes that the releaser overrode with `--force`, `--in-freeze` or `--looks-changed`. */
  forced: z.array(z.string()).optional(),
} as const;

/** A change of the page, as the history records it. */
export type RecordedChange = z.infer<z.ZodObject<typeof changeFields>>;

/** The releaser, and the reason for a change. */
export type Author = Pick<RecordedChange, 'who' | 'why'>;

export const historyEntry = z.object({
  /** Counts from 1. */
  sequence: z.number(),
  /** Identifies the entry, so that a releaser recognises its own one after a lost answer. */
  id: z.string(),
  /** ISO 8601, UTC. */
  at: z.string(),
  ...changeFields,
  /** The resulting release. */
  releaseId: z.string(),
  /** SHA-256 of the pages of that release, in hexadecimal. The release ID contains its first 12 digits. */
  releaseHash: z.string(),
});
export type HistoryEntry = z.infer<typeof historyEntry>;

/** Entries that are read at the same time. */
const concurrency = 16;

const entryKey = (sequence: number) => `history/${String(sequence).padStart(8, '0')}.json`;

/** The changes of the page (`history/`). May lack the entry of the live state, which `live.json` has as well. */
export class History {
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /** Up to `max` entries before one, newest first, without missing and damaged ones. Reads no other entry, and a few at the same time. */
  async *entriesBefore({ sequence }: HistoryEntry, max: number): AsyncGenerator<HistoryEntry> {
    const first = Math.max(1, sequence - max);
    for (let end = sequence; end > first; end -= concurrency) {
      const length = Math.min(concurrency, end - first);
      const found = await Promise.all(Array.from({ length }, (_, index) => this.#read(end - 1 - index)));
      for (const entry of found) if (entry) yield entry;
    }
  }

  async has({ sequence, id }: HistoryEntry): Promise<boolean> {
    return (await this.#read(sequence))?.id === id;
  }

  /** Adds an entry. Replaces a damaged one, and one that was added before `live.json` was restored from a backup. */
  async add(entry: HistoryEntry): Promise<void> {
    const key = entryKey(entry.sequence);
    if ((await this.#objects.create(key, encodeJson(entry))) === 'created') return;
    if (!(await this.has(entry))) await this.#objects.overwrite(key, encodeJson(entry));
  }

  async #read(sequence: number): Promise<HistoryEntry | undefined> {
    return (await unlessDamaged(readJson(this.#objects, entryKey(sequence), historyEntry)))?.value;
  }
}
