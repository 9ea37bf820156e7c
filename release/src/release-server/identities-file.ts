import { createHash, randomBytes } from 'node:crypto';
import { isLoopbackHost } from '@countersign/contracts/program';
import * as z from 'zod';
import { printableLine } from '../platform/printable.ts';
import { readJsonFile } from '../platform/read-json-file.ts';
import { ReleaseError } from '../platform/release-error.ts';

/** A name in the owners' file. `*` stands for every releaser there, so it is no name. */
const name = z
  .string()
  .min(1)
  .max(100)
  .refine((text) => text !== '*' && text.trim() === text && text === printableLine(text));

/** A releaser with a token of {@link newToken}. */
const tokenIdentity = z.strictObject({ name, tokenHash: z.string().regex(/^[0-9a-f]{64}$/) });

/** A releaser with tokens of an OpenID Connect issuer, such as a pipeline. Every listed claim must have this value. */
const issuedIdentity = z.strictObject({
  name,
  issuer: z.string().refine(isSafeIssuer),
  claims: z.record(z.string(), z.string()).refine((claims) => Object.keys(claims).length > 0),
});
export type IssuedIdentity = z.infer<typeof issuedIdentity>;

const identities = z.array(z.union([tokenIdentity, issuedIdentity]));
export type Identities = Readonly<z.infer<typeof identities>>;

/** Reads the file with the releasers of a release server. Throws a {@link ReleaseError} if it is invalid. */
export function readIdentities(file: string): Identities {
  const remedy =
    'Write [{ "name": "…", "tokenHash": "…" }], as "npm run release-server -- token <name>" prints it, or [{ "name": "…", "issuer": "https://…", "claims": { "repository": "…" } }].';
  return readJsonFile(file, identities, 'list of identities', remedy);
}

/** A new token of 32 random bytes, and the entry of its releaser, which has only the hash of it. */
export function newToken(releaser: string) {
  const token = `release_${randomBytes(32).toString('base64url')}`;
  const identity = tokenIdentity.safeParse({ name: releaser, tokenHash: hashOfToken(token).toString('hex') });
  if (identity.success) return { token, identity: identity.data };
  throw new ReleaseError('The name must be one line of at most 100 characters, and not "*".');
}

/** SHA-256 suffices, because tokens are random and long. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Whether the keys of an issuer cannot be replaced on their way. */
function isSafeIssuer(issuer: string): boolean {
  const { protocol, host } = URL.parse(issuer) ?? {};
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(host));
}
