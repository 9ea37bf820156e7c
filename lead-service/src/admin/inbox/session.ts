import { createHmac, timingSafeEqual } from 'node:crypto';
import { isLoopbackHost } from '@countersign/contracts/program';
import type { Context } from 'koa';
import { HttpError } from '../../http/errors.ts';
import type { Secret } from '../../platform/secret.ts';
import type { AdminToken } from '../admin-token.ts';

/** Sessions in a signed cookie that every instance can verify. */
interface Sessions {
  /** Sets the cookie. */
  begin(ctx: Context, token: AdminToken): void;
  /** The token of a request. `undefined` if its cookie is missing, forged or expired, or its token was removed. */
  find(ctx: Context): AdminToken | undefined;
  /** Deletes the cookie. */
  end(ctx: Context): void;
}

/** In milliseconds. */
const lifetime = 8 * 60 * 60_000;
const plainName = 'leads-session';
/** Browsers accept a cookie with this prefix only over TLS, and not from a sibling domain. */
const secureName = `__Host-${plainName}`;

/**
 * The cookie is `name.expiry.signature`. The signature covers the hash of the token, so that removing or replacing a token ends
 * its sessions.
 */
export function createSessions(tokens: readonly AdminToken[], secret: Secret): Sessions {
  const key = secret.deriveKey('session');
  const signature = (parts: string, token: AdminToken) =>
    createHmac('sha256', key).update(`${parts}.`).update(token.hash).digest('base64url');

  return {
    begin(ctx, token) {
      const parts = `${token.name}.${Date.now() + lifetime}`;
      setCookie(ctx, `${parts}.${signature(parts, token)}`, lifetime / 1000);
    },
    find(ctx) {
      // The cookie without prefix is valid only on loopback, because a sibling domain could set it elsewhere.
      const plain = isLoopbackHost(ctx.host) ? ctx.cookies.get(plainName) : undefined;
      const cookie = ctx.cookies.get(secureName) ?? plain ?? '';
      const [, parts = '', name, expiry, signed = ''] = /^(([a-z\d-]+)\.(\d+))\.([\w-]+)$/.exec(cookie) ?? [];
      const token = tokens.find((known) => known.name === name);
      if (token === undefined || !equal(signed, signature(parts, token))) return undefined;
      return Number(expiry) > Date.now() ? token : undefined;
    },
    end: (ctx) => setCookie(ctx, '', 0),
  };
}

/** Uses the scheme of `Origin`, because a proxy may terminate TLS. Callers have checked that it is the site's own. */
function setCookie(ctx: Context, value: string, seconds: number): void {
  const isSecure = ctx.get('Origin').startsWith('https:');
  if (!isSecure && !isLoopbackHost(ctx.host)) throw new HttpError('needs-tls');
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
  ctx.append(
    'Set-Cookie',
    isSecure ? `${secureName}=${value}; ${attributes}; Secure` : `${plainName}=${value}; ${attributes}`,
  );
}

/** Compares in constant time, for texts of equal length. */
function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
