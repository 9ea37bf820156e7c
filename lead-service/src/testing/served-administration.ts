import assert from 'node:assert/strict';
import { tokenSetting } from '../admin-http/admin-config.ts';
import { createToken, hashToken, type AdminScope } from '../admin-http/admin-token.ts';
import { openTestDatabase, type OpenedDatabase } from './admin-database.ts';
import { hostService, type HostedService } from './hosted-service.ts';
import type { TestDatabase } from './test-databases.ts';

/** A token and its entry in `ADMIN_TOKENS`. */
export interface TestToken {
  readonly token: string;
  readonly setting: string;
}

export function makeToken(name: string, scopes: readonly AdminScope[]): TestToken {
  const token = createToken();
  return { token, setting: tokenSetting({ name, scopes, hash: hashToken(token) }) };
}

/** A service process with the admin server, and its database. */
export interface ServedAdministration extends AsyncDisposable {
  /** URL of the admin server. */
  readonly url: string;
  /** URL of the lead endpoints. */
  readonly leadsUrl: string;
  readonly service: HostedService;
  readonly context: OpenedDatabase;
  /** Sends a request with a bearer token and an optional JSON body. */
  call(token: TestToken | undefined, method: string, path: string, body?: object): Promise<Response>;
}

export async function serveAdministration(
  database: TestDatabase,
  tokens: readonly TestToken[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ServedAdministration> {
  const context = await openTestDatabase(database);
  const service = await hostService({
    ...database.environment,
    ...environment,
    ADMIN_PORT: '0',
    ADMIN_TOKENS: tokens.map(({ setting }) => setting).join(','),
  });
  const { url: leadsUrl, adminUrl: url } = service;
  assert.ok(leadsUrl !== '' && url !== '');
  return {
    url,
    leadsUrl,
    service,
    context,
    call: (token, method, path, body) =>
      fetch(url + path, {
        method,
        headers: {
          ...(token && { authorization: `Bearer ${token.token}` }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      }),
    async [Symbol.asyncDispose]() {
      await service.stop();
      await context.close();
    },
  };
}
