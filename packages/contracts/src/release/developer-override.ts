import * as z from 'zod/mini';
import { remoteNames } from '../page/remotes.ts';
import { asset, remoteVersion } from './release-document.ts';

/** A file of an unreleased version: in the store, or on the developer's machine. */
const overrideAsset = z.extend(asset, {
  url: z.string().check(z.regex(/^(\/(?!\/)|http:\/\/localhost:\d{1,5}\/)/)),
});
const overrideChunk = z.object({ scripts: z.array(overrideAsset), styles: z.array(overrideAsset) });

/**
 * Replaces one part in one browser for a limited time. The owner of the site signs it. It contains the hashes
 * of all files, so integrity is enforced as for released versions.
 */
export const developerOverride = z.object({
  /** Origin of the site that accepts it: `https://www.example.com`. */
  site: z.string(),
  part: z.enum(remoteNames),
  version: z.extend(remoteVersion, {
    entry: overrideAsset,
    exposes: z.record(z.string(), overrideChunk),
    later: z.optional(overrideChunk),
  }),
  /** Expiry, in milliseconds since epoch. */
  expires: z.number(),
});
export type DeveloperOverride = z.infer<typeof developerOverride>;

/**
 * Token format: `<payload>.<signature>`, both in base64url. The payload is the JSON of a {@link
 * DeveloperOverride}. The signature is ECDSA on P-256 with SHA-256 over the payload's text, as r and s
 * concatenated (IEEE P1363).
 */
export const overrideAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
