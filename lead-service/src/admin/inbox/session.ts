import { isLoopbackHost } from '@countersign/contracts/program';
import type { Context } from 'koa';
import { HttpError } from '../../http/errors.ts';
import type { AdminToken } from '../admin-token.ts';

/** In milliseconds. */
const lifetime = 8 * 60 * 60_000;
const plainName = 'leads-session';
/** Browsers accept a cookie with this prefix only over TLS, and not from a sibling domain. */
const secureName = `__Host-${plainName}`;

/** The session ends with the time, and when its token is removed or replaced, because the cookie names both. Koa signs it. */
function sessionOf({ name, hash }: AdminToken, end: number): string {
  return `${name}.${hash.toString('base64url')}.${end}`;
}

/** Sets the cookie. Every instance can verify it. */
export function beginSession(ctx: Context, token: AdminToken): void {
  setCookie(ctx, sessionOf(token, Date.now() + lifetime), lifetime);
}

/** Deletes the cookie. */
export function endSession(ctx: Context): void {
  setCookie(ctx, '', 0);
}

/** The token of a request. `undefined` if its cookie is missing, forged or expired, or its token was removed. */
export function findSession(ctx: Context, tokens: readonly AdminToken[]): AdminToken | undefined {
  // The cookie without prefix is valid only on loopback, because a sibling domain could set it elsewhere.
  const names = isLoopbackHost(ctx.host) ? [secureName, plainName] : [secureName];
  const cookies = names.map((name) => ctx.cookies.get(name, { signed: true }));
  const cookie = cookies.find((value) => value !== undefined) ?? '';
  const end = Number(cookie.split('.').at(-1));
  return end > Date.now() ? tokens.find((token) => cookie === sessionOf(token, end)) : undefined;
}

/** Uses the scheme of `Origin`, because a proxy may terminate TLS. Callers have checked that it is the site's own. */
function setCookie(ctx: Context, value: string, maxAge: number): void {
  const secure = ctx.get('Origin').startsWith('https:');
  if (!secure && !isLoopbackHost(ctx.host)) throw new HttpError('needs-tls');
  ctx.cookies.secure = secure;
  const name = secure ? secureName : plainName;
  ctx.cookies.set(name, value, { maxAge, secure, signed: true, httpOnly: true, sameSite: 'strict' });
}
