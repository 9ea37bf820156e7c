import type { EnvironmentReader } from '@countersign/environment/environment-reader';
import { host, list, port, wholeNumber } from '@countersign/environment/variables';
import type { ServerAddress } from '../http/server.ts';
import { adminScopes, tokenName, type AdminScope, type AdminToken } from './admin-token.ts';

/** Tokens and address of the admin server. The service starts it only if there is a token. */
export interface AdminConfig {
  readonly tokens: readonly AdminToken[];
  /** A separate address, so that a proxy for visitors does not expose it. */
  readonly address: ServerAddress;
  /** Number of trusted proxies in front of that address. */
  readonly trustedProxyHops: number;
}

const entryPattern = /^([^:]+):([a-z+]+):([\da-f]{64})$/;

export const adminVariables = {
  ADMIN_TOKENS: list(
    'Comma-separated `name:read+write:hash`, from `npm run leads -- token`. Without it, the service does not listen on `ADMIN_PORT`',
  ),
  ADMIN_HOST: host('Address to listen on', '127.0.0.1'),
  ADMIN_PORT: port(
    'Port of the inbox and the page reports, which `LEADS_PORT` does not serve; `0` picks a free one',
    3002,
  ),
  ADMIN_TRUSTED_PROXY_HOPS: wholeNumber(
    'Number of own proxies in front of that port, counted as for `TRUSTED_PROXY_HOPS`',
    { initial: 0, min: 0, max: 16 },
  ),
};

export function readAdmin(reader: EnvironmentReader): AdminConfig {
  const { ADMIN_TOKENS, ADMIN_HOST, ADMIN_PORT, ADMIN_TRUSTED_PROXY_HOPS } = reader.read(adminVariables);
  const tokens = ADMIN_TOKENS.flatMap((entry, index) => {
    const token = parseToken(entry);
    if (token !== undefined) return [token];
    // The message does not quote the entry, because it may contain the token by mistake.
    reader.reject(
      `ADMIN_TOKENS, entry ${index + 1}, must look like name:read+write:hash. Take it from "npm run leads -- token".`,
    );
    return [];
  });
  if (new Set(tokens.map(({ name }) => name)).size < tokens.length) {
    reader.reject('ADMIN_TOKENS contains a name twice. Give each token a different name.');
  }
  return {
    tokens,
    address: { host: ADMIN_HOST, port: ADMIN_PORT },
    trustedProxyHops: ADMIN_TRUSTED_PROXY_HOPS,
  };
}

export function tokenSetting({ name, scopes, hash }: AdminToken): string {
  return `${name}:${scopes.join('+')}:${hash.toString('hex')}`;
}

function parseToken(entry: string): AdminToken | undefined {
  const [, name = '', scopeList = '', hash = ''] = entryPattern.exec(entry) ?? [];
  const scopes = scopeList.split('+').filter(isScope);
  if (!tokenName.test(name) || scopes.length !== scopeList.split('+').length) return undefined;
  return { name, scopes, hash: Buffer.from(hash, 'hex') };
}

function isScope(word: string): word is AdminScope {
  return adminScopes.some((scope) => scope === word);
}
