import { releaseDocument } from '@countersign/contracts/release-document';
import { partNames } from '@countersign/contracts/remotes';
import { siteConfig } from '@countersign/contracts/site-config';
import * as z from 'zod';
import { historyEntry } from './history.ts';

/** Path inside a version's folder → Subresource Integrity value of the file. */
export const fileHashes = z.record(z.string(), z.string());
export type FileHashes = Readonly<z.infer<typeof fileHashes>>;

/** Limits of a version: bytes of all files, which are in memory while it is published, and their number. */
export const buildLimits = { folder: 100_000_000, files: 5_000 } as const;

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

/** Part, or `*` for all → why and until when (ISO 8601, UTC) it must not change. A freeze has no effect after its time. */
const freezes = z.partialRecord(
  z.enum([...partNames, '*']),
  z.object({ until: z.string(), who: z.string(), why: z.string() }),
);
export type Freezes = Readonly<z.infer<typeof freezes>>;

/** `live.json`: the live release and its history entry, replaced together. */
export const liveState = z.object({
  release: releaseDocument,
  entry: historyEntry,
  /** The page's configuration, which the next release inherits. */
  site: siteConfig,
  freezes: freezes.optional(),
});

/** `releases/<release>.json`: a release, live or not, and when it was created. */
export const releaseRecord = z.object({ at: z.string(), release: releaseDocument });
export type ReleaseRecord = z.infer<typeof releaseRecord>;
