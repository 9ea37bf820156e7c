import { releaseDocument } from '@countersign/contracts/release-document';
import { partNames } from '@countersign/contracts/remotes';
import { siteConfig } from '@countersign/contracts/site-config';
import * as z from 'zod';

/** Path inside a version's folder → Subresource Integrity value of the file. */
const fileHashes = z.record(z.string(), z.string());
export type FileHashes = Readonly<z.infer<typeof fileHashes>>;

/** A Git commit, with `-dirty` if the work tree differed from it. */
export const commitName = /^[0-9a-f]{40}(?:-dirty)?$/;

/** `versions/<part>/<version>.json`, written last, which completes the version. */
export const versionRecord = z.object({
  /** ISO 8601, UTC. */
  publishedAt: z.string(),
  publishedBy: z.string(),
  files: fileHashes,
  /** Commit that was checked out. Missing outside of a repository. */
  commit: z.string().optional(),
});

export type VersionRecord = z.infer<typeof versionRecord>;

/** Among the `forced` messages of a change whose check did not open the page. */
export const pageNotOpened = 'The page was not opened.';

const changeFields = {
  /** Name of the releaser. */
  who: z.string(),
  action: z.enum(['promote', 'canary', 'rollback', 'remove', 'freeze', 'unfreeze']),
  /**
   * Versions before and after, with the percentage of a canary: `1.0.0, 1.1.0 for 10 %`; of several parts, or of none that has
   * changed, each with its part's name. For a removal, `from` is what was removed; for a freeze, `to` is its end.
   */
  from: z.string().optional(),
  to: z.string().optional(),
  /** Reason, written by the releaser. */
  why: z.string().optional(),
  /** Messages of the violations and freezes that the releaser overrode with `--force`, `--in-freeze` or `--looks-changed`. */
  forced: z.array(z.string()).optional(),
} as const;

/** A change of the page, as the history records it. */
export interface RecordedChange extends z.infer<z.ZodObject<typeof changeFields>> {
  /** The changed parts; several if they changed as one, none if only the configuration or the whole page changed. */
  readonly parts: readonly string[];
}

/** The parts whose versions a change of the page has changed. None if it only applied another configuration. */
export function changedParts({ action, parts, from, to }: RecordedChange): readonly string[] {
  // Older entries name the promoted parts in this case.
  if (action === 'promote' && from === to) return [];
  return ['promote', 'canary', 'rollback'].includes(action) ? parts : [];
}

/** The releaser of a change, and the reason for it, under the keys of the history. */
export type Attribution = Pick<RecordedChange, 'who' | 'why'>;

export const storedHistoryEntry = z
  .object({
    /** Counts from 1. */
    sequence: z.number(),
    /** Identifies the entry, so that a releaser recognises its own one after a lost answer. */
    id: z.string(),
    /** ISO 8601, UTC. */
    at: z.string(),
    ...changeFields,
    parts: z.array(z.string()).optional(),
    /** Older entries name a single part so, and have no `parts` then. */
    part: z.string().optional(),
    /** The resulting release. */
    releaseId: z.string(),
    /** SHA-256 of the pages of that release, in hexadecimal. The release ID contains its first 12 digits. */
    releaseHash: z.string(),
  })
  .transform(({ part, parts = part === undefined ? [] : [part], ...fields }) => {
    const change: RecordedChange = { ...fields, parts };
    return { ...fields, ...change };
  });
export type HistoryEntry = z.infer<typeof storedHistoryEntry>;

/** Part, or `*` for all → why and until when (ISO 8601, UTC) it must not change. A freeze has no effect after its time. */
const freezes = z.partialRecord(
  z.enum([...partNames, '*']),
  z.object({ until: z.string(), who: z.string(), why: z.string() }),
);
export type Freezes = Readonly<z.infer<typeof freezes>>;

/** `live.json`: the live release and its history entry, replaced together. */
export const storedLiveState = z
  .object({
    release: releaseDocument,
    entry: storedHistoryEntry,
    /** The page's configuration, which the next release inherits. */
    site: siteConfig,
    freezes: freezes.optional(),
  })
  .transform(({ entry, site, ...state }) => ({ ...state, historyEntry: entry, siteConfig: site }));

/** `releases/<release>.json`: a release, live or not, and when it was created. */
export const releaseRecord = z.object({ at: z.string(), release: releaseDocument });
export type ReleaseRecord = z.infer<typeof releaseRecord>;
