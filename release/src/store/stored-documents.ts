import { partVersionName } from '@countersign/contracts/part-manifest';
import { releaseDocument } from '@countersign/contracts/release-document';
import { partNames } from '@countersign/contracts/remotes';
import { siteConfig } from '@countersign/contracts/site-config';
import * as z from 'zod/mini';
import { auditEntry, changeOrigin } from './audit-entry.ts';

/** Path inside a version's folder → Subresource Integrity value of the file. */
export const fileHashes = z.record(z.string(), z.string());
export type FileHashes = Readonly<z.infer<typeof fileHashes>>;

/** `versions/<part>/<version>.json`, written last, which completes the version. */
export const versionRecord = z.object({
  /** ISO 8601, UTC. */
  publishedAt: z.string(),
  publishedBy: z.string(),
  /** Missing in older records, and for releasers without a token of an issuer. */
  origin: z.optional(changeOrigin),
  files: fileHashes,
  /** Git commit that was checked out, with `-dirty` if files differed from it. Missing outside of a repository. */
  commit: z.optional(z.string()),
});

export type VersionRecord = z.infer<typeof versionRecord>;

/** A version that must never be served again, with author and reason. */
const withdrawnVersion = z.object({
  part: z.enum(partNames),
  version: partVersionName,
  /** ISO 8601, UTC. */
  at: z.string(),
  who: z.string(),
  why: z.optional(z.string()),
});
export type WithdrawnVersion = z.infer<typeof withdrawnVersion>;

/** `live.json`: the live release and its log entry, replaced together. */
export const liveState = z.object({
  release: releaseDocument,
  entry: auditEntry,
  /** The page's configuration, which the next release inherits. */
  site: siteConfig,
  /** Part of this object, so that no concurrent release can make a withdrawn version live. */
  withdrawn: z._default(z.array(withdrawnVersion), []),
});

/** Payload of `heads/<sequence>.jws`: the newest entry of the log at a time. Its signature shows that the log was not older then. */
export const logHead = z.object({
  /** Of the entry. */
  sequence: z.number(),
  hash: z.string(),
  /** ISO 8601, UTC. */
  at: z.string(),
});
export type LogHead = Readonly<z.infer<typeof logHead>>;

/** `releases/<release>.json`: a release, live or not, and when it was created. */
export const releaseRecord = z.object({ at: z.string(), release: releaseDocument });
export type ReleaseRecord = z.infer<typeof releaseRecord>;
