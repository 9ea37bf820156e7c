import * as z from 'zod/mini';
import { hydrationTimings, remoteNames } from '../page/remotes.ts';
import { canaryGroups, releaseIdPattern } from '../page-reports/page-report.ts';
import { partVersionName } from './part-manifest.ts';

/** A file that the page loads: address relative to the origin, and what its bytes must hash to. */
export const asset = z.object({
  url: z.string().check(z.startsWith('/')),
  /** Subresource integrity: the algorithm and the hash in base64. */
  integrity: z.string().check(z.regex(/^sha256-[A-Za-z0-9+/]{43}=$/)),
});
export type Asset = z.infer<typeof asset>;

export const chunkAssets = z.object({ scripts: z.array(asset), styles: z.array(asset) });
export type ChunkAssets = z.infer<typeof chunkAssets>;

/** One stored version of a remote, ready to be loaded. */
export const remoteVersion = z.object({
  version: partVersionName,
  globalName: z.string(),
  entry: asset,
  /** Exposed key → the files that hold it. */
  exposes: z.record(z.string(), chunkAssets),
  /** Exposed key → when the page hydrates the component; at once where it does not say. */
  hydration: z.optional(z.record(z.string(), z.enum(hydrationTimings))),
  /** Lazy chunks: code that the part loads on demand. Listed here, because browsers block scripts without a known hash. */
  later: z.optional(chunkAssets),
});
export type RemoteVersion = z.infer<typeof remoteVersion>;

const canaryFields = {
  /** Share of visitors. */
  percent: z.number().check(z.gte(0), z.lte(100)),
  /**
   * All versions of a canary of several remotes, each of which has it: `mf-leads@1.2.0 mf-pricing@2.0.0`. A visitor gets all or none.
   */
  together: z.optional(z.string()),
};

/** A canary of the shell, by its name, because it has a page of its own. */
export const shellCanary = z.object({ version: partVersionName, percent: canaryFields.percent });
export type ShellCanary = z.infer<typeof shellCanary>;

export const remoteState = z.object({
  live: remoteVersion,
  /** The last good version before `live`: what a visitor gets when `live` fails in the browser. */
  previous: z.optional(remoteVersion),
  /** A version that only a share of visitors gets, and each tab that asks for it: `?variant=<part>@<version>`. */
  canary: z.optional(z.object({ version: remoteVersion, ...canaryFields })),
});
export type RemoteState = z.infer<typeof remoteState>;

/**
 * Which version of every part is live. The composer writes it into the HTML as a data block; nothing else tells
 * the shell an address. The slots of a remote that is missing from it stay empty.
 */
export const releaseDocument = z.object({
  schemaVersion: z.literal(1),
  /** Derived from the pages, so the same content has the same ID. */
  releaseId: z.string().check(z.regex(releaseIdPattern)),
  shell: z.object({
    version: partVersionName,
    ...chunkAssets.shape,
    later: z.optional(chunkAssets),
    /** The version before, to which a rollback returns. */
    previous: z.optional(partVersionName),
    canary: z.optional(shellCanary),
    /** Only in pages: the group of their visitors. While there is a canary, a page without it belongs to neither group. */
    group: z.optional(z.enum(canaryGroups)),
  }),
  remotes: z.partialRecord(z.enum(remoteNames), remoteState),
});
export type ReleaseDocument = z.infer<typeof releaseDocument>;

/** The content of a release before it has an ID, which is derived from the composed pages. */
export type ReleaseContent = Omit<ReleaseDocument, 'releaseId'>;
