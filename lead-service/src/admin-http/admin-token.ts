import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What somebody may do: see leads, change them, take them out as a file, erase or hand over what is held of a person. */
export const adminScopes = ['read', 'write', 'export', 'erase'] as const;
export type AdminScope = (typeof adminScopes)[number];

/** Somebody who may work with leads. The token itself is known to nobody but its holder. */
export interface AdminToken {
  /** Names its holder in the audit log. */
  readonly name: string;
  readonly scopes: readonly AdminScope[];
  /** SHA-256 of the token. */
  readonly hash: Buffer;
}

/** What a name may look like: it stands in settings, cookies and the audit log. */
export const tokenName = /^[a-z\d][a-z\d-]{0,31}$/;

/** A new token: 256 random bits, and a beginning by which a leaked one is recognised. */
export function createToken(): string {
  return `leads_${randomBytes(32).toString('base64url')}`;
}

/**
 * A plain hash is enough, although a password would need a slow one: nobody finds 256 random bits by trying, however fast
 * the trying is.
 */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Whose token this is. Compares hashes of one length in constant time, and all of them whichever it is. */
export function findToken(tokens: readonly AdminToken[], presented: string): AdminToken | undefined {
  const hash = hashToken(presented);
  let found: AdminToken | undefined;
  for (const token of tokens) {
    if (timingSafeEqual(token.hash, hash)) found = token;
  }
  return found;
}
