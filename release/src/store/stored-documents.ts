import { partVersionName } from '@countersign/contracts/part-manifest';
import { releaseDocument } from '@countersign/contracts/release-document';
import { partNames } from '@countersign/contracts/remotes';
import { siteConfig } from '@countersign/contracts/site-config';
import * as z from 'zod/mini';
import { auditEntry, nextEntry } from './audit-entry.ts';

/** Path inside a version's folder → integrity of the file. */
const fileHashes = z.record(z.string(), z.string());
export type FileHashes = Readonly<z.infer<typeof fileHashes>>;

/** Stands where a store from before the log does not say. */
const unknownTime = '1970-01-01T00:00:00.000Z';
const unknownPerson = 'unknown';

const currentVersionRecord = z.object({
  /** ISO 8601, UTC. */
  publishedAt: z.string(),
  publishedBy: z.string(),
  files: fileHashes,
});

/** `versions/<part>/<version>.json`, written last: with it, the version is there. Once it held nothing but the hashes. */
export const versionRecord = z.union([
  currentVersionRecord,
  z.pipe(
    z.record(z.string(), z.string().check(z.startsWith('sha384-'))),
    z.transform((files) => ({ publishedAt: unknownTime, publishedBy: unknownPerson, files })),
  ),
]);
export type VersionRecord = z.infer<typeof currentVersionRecord>;

/** A version that must never be served again, and who decided it. */
const withdrawnVersion = z.object({
  part: z.enum(partNames),
  version: partVersionName,
  /** ISO 8601, UTC. */
  at: z.string(),
  who: z.string(),
  why: z.optional(z.string()),
});
export type WithdrawnVersion = z.infer<typeof withdrawnVersion>;

/**
 * `live.json`: the state of the page, and the entry of the log that led to it, replaced together. Once it held nothing
 * but the release document; the log of such a store begins with an entry that says so.
 */
export const liveState = z.union([
  z.object({
    release: releaseDocument,
    entry: auditEntry,
    /** The configuration that the page was composed with. The next releaser goes on with it. */
    site: z.optional(siteConfig),
    /** Replaced together with the page, so that no concurrent release can make a withdrawn version live. */
    withdrawn: z._default(z.array(withdrawnVersion), []),
  }),
  z.pipe(
    releaseDocument,
    z.transform((release) => {
      const change = {
        at: unknownTime,
        who: unknownPerson,
        action: 'compose',
        why: 'released before there was a log',
      } as const;
      return {
        release,
        entry: nextEntry(undefined, change, { releaseId: release.releaseId }),
        site: undefined,
        withdrawn: [],
      };
    }),
  ),
]);

/** `releases/<release>.json`: a state that the page is, was or was about to be in, and when it was made. */
export const releaseRecord = z.object({ at: z.string(), release: releaseDocument });
export type ReleaseRecord = z.infer<typeof releaseRecord>;
