import * as z from 'zod';

const changeFields = {
  /** Name of the releaser. */
  who: z.string(),
  action: z.enum(['promote', 'canary', 'rollback', 'remove', 'freeze', 'unfreeze']),
  /** The changed part. Missing if only the configuration or several parts changed. */
  part: z.string().optional(),
  /** The changed parts, if several changed as one. */
  parts: z.array(z.string()).optional(),
  /**
   * Versions before and after, with the percentage of a canary: `1.0.0, 1.1.0 for 10 %`; of several parts, each with its name. For a
   * removal, `from` is what was removed; for a freeze, `to` is its end.
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

/** The parts whose versions a change of the page has changed. */
export function changedParts({ part, parts, action }: RecordedChange): readonly string[] {
  const isOfVersions = action === 'promote' || action === 'canary' || action === 'rollback';
  return isOfVersions ? (parts ?? (part === undefined ? [] : [part])) : [];
}

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
