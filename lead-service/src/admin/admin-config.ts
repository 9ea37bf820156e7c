import type { EnvironmentReader } from '../environment-reader.ts';
import type { ServerAddress } from '../server.ts';
import { adminScopes, tokenName, type AdminScope, type AdminToken } from './admin-token.ts';

/** Who may work with leads over HTTP, and where. Without a token nothing listens there. */
export interface AdminConfig {
  readonly tokens: readonly AdminToken[];
  /** An address of its own, which no proxy for visitors leads to. */
  readonly address: ServerAddress;
  /** How many proxies of the operator's own stand in front of that address. */
  readonly trustedProxyHops: number;
}

const shape = /^([^:]+):([a-z+]+):([\da-f]{64})$/;

export function readAdmin(reader: EnvironmentReader): AdminConfig {
  const tokens = reader.list('ADMIN_TOKENS').flatMap((entry, index) => {
    const token = parseToken(entry);
    if (token !== undefined) return [token];
    // The entry itself is not quoted: somebody may have put the token there.
    reader.fault(
      `ADMIN_TOKENS, entry ${index + 1}, must look like name:read+write:hash. Take it from "npm run leads -- token".`,
    );
    return [];
  });
  if (new Set(tokens.map(({ name }) => name)).size < tokens.length) {
    reader.fault('ADMIN_TOKENS has a name twice. Give every token a name of its own.');
  }
  return {
    tokens,
    address: {
      host: reader.host('ADMIN_HOST', '127.0.0.1'),
      port: reader.wholeNumber('ADMIN_PORT', { initial: 3002, least: 0, most: 65_535 }),
    },
    trustedProxyHops: reader.wholeNumber('ADMIN_TRUSTED_PROXY_HOPS', { initial: 0, least: 0, most: 16 }),
  };
}

/** The entry of the setting for a token. */
export function tokenSetting({ name, scopes, hash }: AdminToken): string {
  return `${name}:${scopes.join('+')}:${hash.toString('hex')}`;
}

function parseToken(entry: string): AdminToken | undefined {
  const [, name = '', words = '', hash = ''] = shape.exec(entry) ?? [];
  const scopes = words.split('+').filter(isScope);
  if (!tokenName.test(name) || scopes.length !== words.split('+').length) return undefined;
  return { name, scopes, hash: Buffer.from(hash, 'hex') };
}

export function isScope(word: string): word is AdminScope {
  return adminScopes.some((scope) => scope === word);
}
