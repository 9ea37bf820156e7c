import { createServer } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { listen } from '../platform/listen.ts';

/** An OpenID Connect issuer with one client, whose tokens have the claims of a pipeline. */
export interface TokenIssuer extends AsyncDisposable {
  readonly issuer: string;
  /** Settings of a job of GitHub Actions that gets its tokens here. */
  readonly jobEnvironment: NodeJS.ProcessEnv;
  /** Gets a token for an audience, as a job does. */
  token(audience: string): Promise<string>;
}

const client = { client_id: 'job', client_secret: 'secret-of-the-job' };

/** Starts an issuer. @param claims of its tokens */
export async function startTokenIssuer(claims: Readonly<Record<string, string>>): Promise<TokenIssuer> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'key', use: 'sig', alg: 'RS256' };
  const server = createServer();
  const issuer = `http://127.0.0.1:${await listen(server, 0, 'PORT')}`;
  const provider = new Provider(issuer, {
    jwks: { keys: [key] },
    clients: [{ ...client, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, audience) => ({
          scope: 'release',
          audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 300,
        }),
      },
    },
    extraTokenClaims: () => ({ ...claims }),
  });
  const token: TokenIssuer['token'] = async (audience) => {
    const response = await fetch(`${issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...client, grant_type: 'client_credentials', resource: audience }),
    });
    const { access_token: found } = (await response.json()) as { access_token: string };
    return found;
  };
  const answer = provider.callback();
  server.on('request', async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', issuer);
    if (pathname !== '/job') return answer(request, response);
    const isJob = request.headers.authorization === 'Bearer token-of-the-job';
    response.writeHead(isJob ? 200 : 401);
    response.end(JSON.stringify(isJob ? { value: await token(searchParams.get('audience') ?? '') } : {}));
  });
  return {
    issuer,
    jobEnvironment: {
      ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer}/job?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'token-of-the-job',
    },
    token,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
