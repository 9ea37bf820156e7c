import assert from 'node:assert/strict';
import { tokenSetting } from '../admin/admin-config.ts';
import { createToken, hashToken, type AdminScope } from '../admin/admin-token.ts';
import { openTestDatabase, type OpenedDatabase } from './desk-database.ts';
import { startService, type ServiceProcess } from './service-process.ts';
import type { TestDatabase } from './test-databases.ts';

/** A token, and its entry in the setting. */
export interface TestToken {
  readonly token: string;
  readonly setting: string;
}

export function makeToken(name: string, scopes: readonly AdminScope[]): TestToken {
  const token = createToken();
  return { token, setting: tokenSetting({ name, scopes, hash: hashToken(token) }) };
}

/** The real service with an administration, and the tables that it works on. */
export interface ServedAdministration extends AsyncDisposable {
  /** Where the inbox and the API are. */
  readonly url: string;
  /** Where visitors' leads are taken. */
  readonly leadsUrl: string;
  readonly service: ServiceProcess;
  readonly desk: OpenedDatabase;
  /** A request with a bearer token. A body is sent as JSON. */
  call(token: TestToken | undefined, method: string, path: string, body?: object): Promise<Response>;
}

export async function serveAdministration(
  database: TestDatabase,
  tokens: readonly TestToken[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ServedAdministration> {
  const desk = await openTestDatabase(database);
  const service = startService({
    ...database.environment,
    ...environment,
    ADMIN_PORT: '0',
    ADMIN_TOKENS: tokens.map(({ setting }) => setting).join(','),
  });
  const leadsUrl = await service.url();
  const url = await service.adminUrl();
  assert.ok(leadsUrl !== '' && url !== '');
  return {
    url,
    leadsUrl,
    service,
    desk,
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
      await service[Symbol.asyncDispose]();
      await desk.close();
    },
  };
}
