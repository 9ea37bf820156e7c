import type { EnvironmentReader } from '../environment-reader.ts';
import { adminScopes, tokenName, type AdminScope, type AdminToken } from './admin-token.ts';

/** Who may work with leads over HTTP. Without a token there is nothing at those addresses. */
export interface AdminConfig {
  readonly tokens: readonly AdminToken[];
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
  return { tokens };
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
