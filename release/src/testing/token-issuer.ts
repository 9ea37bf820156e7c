import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { startStubService } from './stub-service.ts';

type Claims = Readonly<Record<string, unknown>>;

interface Signing {
  readonly alg?: string;
  readonly key?: Parameters<SignJWT['sign']>[0];
  readonly kid?: string;
}

/**
 * Starts an OpenID Connect issuer like that of GitHub Actions. `/job` gives a job its tokens. All other paths give one document, which
 * is both the discovery document and the key set. Disposing of it stops it.
 *
 * @param claims of the tokens that a job gets
 * @param isDown whether discovery and keys are unavailable now
 */
export async function startTokenIssuer(claims: Claims, isDown: () => boolean = () => false) {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), alg: 'RS256' };
  const service = await startStubService(async ({ url = '', headers }, response) => {
    const { pathname, searchParams } = new URL(url, service.origin);
    const isJob = headers.authorization === 'Bearer token-of-the-job';
    const content =
      pathname === '/job'
        ? isJob && { value: await sign({ ...claims, aud: searchParams.get('audience') ?? '' }) }
        : !isDown() && { issuer: service.origin, jwks_uri: `${service.origin}/keys`, keys: [jwk] };
    response.writeHead(content ? 200 : 401).end(JSON.stringify(content));
  });
  const sign = (payload: Claims, { alg = 'RS256', key = privateKey, ...header }: Signing = {}) =>
    new SignJWT({ iss: service.origin, exp: Math.floor(Date.now() / 1000) + 300, ...payload })
      .setProtectedHeader({ alg, ...header })
      .sign(key);
  return {
    issuer: service.origin,
    jwk,
    /** Signs a token that is valid for five minutes, unless its claims say otherwise. */
    sign,
    /** Settings of a job of GitHub Actions that gets its tokens here. */
    jobEnvironment: {
      ACTIONS_ID_TOKEN_REQUEST_URL: `${service.origin}/job?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'token-of-the-job',
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}
