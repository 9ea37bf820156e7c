import { timingSafeEqual } from 'node:crypto';
import { createRemoteJWKSet, decodeJwt, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import * as z from 'zod';
import { errorMessage } from '../platform/errors.ts';
import { HttpError } from '../platform/release-error.ts';
import { hashOfToken, type Identities, type IssuedIdentity } from './identities-file.ts';

/** The name of a token's releaser; `undefined` for an invalid token. Rejects if the keys of an issuer cannot be read. */
export type Identify = (token: string) => Promise<string | undefined>;

/** Asymmetric ones only: an issuer must never share the key that verifies its tokens. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Errors of `jose` that mean an invalid token. The others mean an unavailable issuer. */
const invalidToken = /^ERR_(?:JW[TS]_|JOSE_ALG_NOT_ALLOWED|JOSE_NOT_SUPPORTED|JWKS_MULTIPLE_)/;

/**
 * Identifies releasers by tokens of this server, which are listed with their hashes, and by tokens of OpenID Connect issuers.
 *
 * @param read the list of releasers, which is read for each token, so that a removed one is refused at once
 * @param audience origin of this server, which the tokens of issuers must be for
 */
export function createIdentify(read: () => Identities, audience: () => string): Identify {
  const keys = new Map<string, Promise<JWTVerifyGetKey>>();
  const keysOf = (issuer: string): Promise<JWTVerifyGetKey> => {
    const known = keys.get(issuer) ?? discoverKeys(issuer);
    keys.set(issuer, known);
    known.catch(() => keys.delete(issuer));
    return known;
  };
  const verify = async (token: string, listed: readonly IssuedIdentity[]): Promise<string | undefined> => {
    const issuer = unverifiedIssuer(token);
    const candidates = listed.filter((identity) => identity.issuer === issuer);
    if (issuer === undefined || candidates.length === 0) return undefined;
    const rules = { issuer, audience: audience(), algorithms, requiredClaims: ['exp'] };
    try {
      const { payload } = await jwtVerify(token, await keysOf(issuer), rules);
      const found = candidates.find(({ claims }) =>
        Object.entries(claims).every(([claim, value]) => payload[claim] === value),
      );
      return found?.name;
    } catch (error) {
      // The issuer may have a new key. Keys are read at most every 30 seconds.
      if (error instanceof errors.JWKSNoMatchingKey)
        throw new HttpError(
          503,
          'The release server does not know the key of this token yet. Try again in a minute.',
        );
      if (error instanceof errors.JOSEError && invalidToken.test(error.code)) return undefined;
      throw new Error(`The keys of ${issuer} cannot be read: ${errorMessage(error)}`, { cause: error });
    }
  };
  return async (token) => {
    const listed = read();
    const hash = hashOfToken(token);
    const own = listed.find(
      (identity) => 'tokenHash' in identity && timingSafeEqual(Buffer.from(identity.tokenHash, 'hex'), hash),
    );
    if (own) return own.name;
    const issued = listed.filter((identity) => 'issuer' in identity);
    return verify(token, issued);
  };
}

const discovery = z.object({ issuer: z.string(), jwks_uri: z.string() });

/** Reads where the keys of an issuer are (OpenID Connect Discovery). `jose` reads them when it needs them. */
async function discoverKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(5_000) });
  const found = discovery.parse(await response.json());
  if (found.issuer !== issuer) throw new Error(`${address} names another issuer, ${found.issuer}.`);
  return createRemoteJWKSet(new URL(found.jwks_uri));
}

function unverifiedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
