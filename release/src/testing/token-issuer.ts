import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { startStubService } from './stub-service.ts';

/** An OpenID Connect issuer, whose tokens have the claims of a pipeline. */
export interface TokenIssuer extends AsyncDisposable {
  readonly issuer: string;
  /** Settings of a job of GitHub Actions that gets its tokens here. */
  readonly jobEnvironment: NodeJS.ProcessEnv;
  /** Signs a token for an audience. */
  token(audience: string): Promise<string>;
}

/** Starts an issuer. @param claims of its tokens */
export async function startTokenIssuer(claims: Readonly<Record<string, string>>): Promise<TokenIssuer> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const keys = [{ ...(await exportJWK(publicKey)), alg: 'RS256' }];
  const service = await startStubService(async ({ url = '', headers }, response) => {
    const { pathname, searchParams } = new URL(url, service.origin);
    const isJob = headers.authorization === 'Bearer token-of-the-job';
    const content =
      pathname === '/job'
        ? isJob && { value: await token(searchParams.get('audience') ?? '') }
        : { issuer: service.origin, jwks_uri: `${service.origin}/keys`, keys };
    response.writeHead(content ? 200 : 401).end(JSON.stringify(content));
  });
  const token: TokenIssuer['token'] = (audience) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer(service.origin)
      .setAudience(audience)
      .setExpirationTime('5m')
      .sign(privateKey);
  return {
    issuer: service.origin,
    jobEnvironment: {
      ACTIONS_ID_TOKEN_REQUEST_URL: `${service.origin}/job?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'token-of-the-job',
    },
    token,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}
