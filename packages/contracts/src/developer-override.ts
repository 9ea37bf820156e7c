import * as z from 'zod/mini';
import { remoteNames } from './remotes.ts';
import { asset, remoteVersion } from './release-document.ts';

/** A file of a version that is looked at before it is released: in the store, or on the developer's own machine. */
const overrideAsset = z.extend(asset, {
  url: z.string().check(z.regex(/^(\/(?!\/)|http:\/\/localhost:\d{1,5}\/)/)),
});
const overrideChunk = z.object({ scripts: z.array(overrideAsset), styles: z.array(overrideAsset) });

/**
 * One part in place of the live one, for one browser and for a while. Signed by the team that owns the site; the hashes
 * of all its files are in it, so that the chain of trust stays closed.
 */
export const developerOverride = z.object({
  /** Origin of the one site whose page may show it: `https://www.example.com`. */
  site: z.string(),
  part: z.enum(remoteNames),
  version: z.extend(remoteVersion, {
    entry: overrideAsset,
    exposes: z.record(z.string(), overrideChunk),
    later: z.optional(overrideChunk),
  }),
  /** Until when it is good: milliseconds since 1970. */
  expires: z.number(),
});
export type DeveloperOverride = z.infer<typeof developerOverride>;

/**
 * What is signed, and how: `<payload>.<signature>`, both in base64url. The payload is the JSON of a
 * {@link DeveloperOverride}, the signature ECDSA on P-256 with SHA-256 over the payload's text, r and s side by side.
 */
export const overrideAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
