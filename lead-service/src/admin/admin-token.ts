import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { host, parsed, port } from '@countersign/contracts/settings';
import * as z from 'zod';
import { list } from '../platform/settings.ts';

/** Permissions: read leads, change them, export them as a file; read page reports. */
export const adminScopes = ['read', 'write', 'export', 'reports'] as const;
export type AdminScope = (typeof adminScopes)[number];

/** A person or program with access. Only the holder knows the token itself. */
export interface AdminToken {
  readonly name: string;
  readonly scopes: readonly AdminScope[];
  /** SHA-256 of the token. */
  readonly hash: Buffer;
}

/** Restricted, because names appear in settings and cookies. */
export const tokenName = /^[a-z\d][a-z\d-]{0,31}$/;

/** A new token: 256 random bits, with a prefix so that scanners can detect a leaked one. */
export function createToken(): string {
  return `leads_${randomBytes(32).toString('base64url')}`;
}

/** A fast hash is enough, because 256 random bits withstand brute force. A password would need a slow hash. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Finds a token. Compares each hash in constant time, to prevent timing attacks. */
export function findToken(tokens: readonly AdminToken[], presented: string): AdminToken | undefined {
  const presentedHash = hashToken(presented);
  return tokens.find(({ hash }) => timingSafeEqual(hash, presentedHash));
}

const entryPattern = /^([^:]+):([a-z+]+):([\da-f]{64})$/;

/** The entry of a token in `ADMIN_TOKENS`. */
export function tokenSetting({ name, scopes, hash }: AdminToken): string {
  return `${name}:${scopes.join('+')}:${hash.toString('hex')}`;
}

/** The token of an entry, or undefined if it is malformed. */
function parseToken(entry: string): AdminToken | undefined {
  const [, name = '', scopeList = '', hash = ''] = entryPattern.exec(entry) ?? [];
  const words = scopeList.split('+');
  const scopes = adminScopes.filter((scope) => words.includes(scope));
  if (!tokenName.test(name) || scopes.length !== words.length) return undefined;
  return { name, scopes, hash: Buffer.from(hash, 'hex') };
}

export const tokenSettings = z.object({
  ADMIN_TOKENS: list(
    // The message does not quote the entry, because it may contain the token by mistake.
    parsed(parseToken, 'must look like name:read+write:hash. Take it from "npm run leads -- token".'),
  )
    .default([])
    .describe(
      'Comma-separated `name:read+write:hash`, from `npm run leads -- token`. Without it, the service does not listen on `ADMIN_PORT`',
    ),
  ADMIN_HOST: host().default('127.0.0.1').describe('Address to listen on'),
  ADMIN_PORT: port()
    .default(3002)
    .describe(
      'Port of the inbox and the page reports, which `LEADS_PORT` does not serve; `0` picks a free one',
    ),
});

export function mistakesInTokens({ ADMIN_TOKENS: tokens }: z.output<typeof tokenSettings>): string[] {
  const names = new Set(tokens.map(({ name }) => name));
  return names.size < tokens.length
    ? ['ADMIN_TOKENS contains a name twice. Give each token a different name.']
    : [];
}
