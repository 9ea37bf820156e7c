import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isLoopbackHost } from '@countersign/contracts/loopback-host';
import type { Context } from 'koa';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { needsTls } from '../http/errors.ts';
import { clockTolerance } from '../platform/clock-tolerance.ts';
import type { Secret } from '../platform/secret.ts';
import type { AdminToken } from './admin-token.ts';

/** Identity of a session whose cookie is verified. */
interface SessionIdentity {
  readonly id: string;
  readonly expiresAt: string;
}

export interface Session extends SessionIdentity {
  readonly token: AdminToken;
  /** Must be sent with every form of this session. */
  readonly csrfToken: string;
}

/** Stores sessions in a signed cookie that every instance can verify. Only revoked sessions are in the database. */
export interface Sessions {
  /** Sets the cookie. */
  begin(ctx: Context, token: AdminToken): void;
  /** The session of a request. `undefined` if its cookie is missing, forged, expired or revoked, or its token was removed. */
  find(ctx: Context): Promise<Session | undefined>;
  /** Deletes the cookie. A copy of it stays valid until `revokeSession`. */
  forget(ctx: Context): void;
  isCsrfTokenOf(session: Session, csrfToken: string): boolean;
}

const lifetime = 8 * 60 * 60_000;
const plainName = 'leads-session';
/** Browsers accept a cookie with this prefix only over TLS, and not from a sibling domain. */
const secureName = `__Host-${plainName}`;

/**
 * The cookie is `name.expiry.id.signature`; `id` is random. The signature covers the hash of the token, so that removing or replacing a
 * token ends its sessions.
 */
export function createSessions(
  tokens: readonly AdminToken[],
  secret: Secret,
  { db }: Pick<Database, 'db'>,
): Sessions {
  const sessionKey = secret.deriveKey('session');
  const csrfKey = secret.deriveKey('csrf');
  const signature = (parts: string, token: AdminToken) =>
    createHmac('sha256', sessionKey).update(`${parts}.`).update(token.hash).digest('base64url');
  const csrfTokenOf = (cookie: string) => createHmac('sha256', csrfKey).update(cookie).digest('base64url');

  return {
    begin(ctx, token) {
      const expiry = Date.now() + lifetime;
      const parts = `${token.name}.${expiry}.${randomBytes(16).toString('base64url')}`;
      setCookie(ctx, `${parts}.${signature(parts, token)}`, lifetime / 1000);
    },
    async find(ctx) {
      const plain = isLocal(ctx) ? ctx.cookies.get(plainName) : undefined;
      const cookie = ctx.cookies.get(secureName) ?? plain ?? '';
      const [, parts = '', name, expiry, id = '', signed = ''] =
        /^(([a-z\d-]+)\.(\d+)\.([\w-]+))\.([\w-]+)$/.exec(cookie) ?? [];
      const token = tokens.find((known) => known.name === name);
      if (token === undefined || !equal(signed, signature(parts, token))) return undefined;
      const timeLeft = Number(expiry) - Date.now();
      // A later expiry than that was written by a clock that was ahead.
      if (timeLeft <= 0 || timeLeft > lifetime + clockTolerance) return undefined;
      const session = { token, id, expiresAt: new Date(Number(expiry)).toISOString() };
      if (await isRevoked(db, session)) return undefined;
      return { ...session, csrfToken: csrfTokenOf(cookie) };
    },
    forget: (ctx) => setCookie(ctx, '', 0),
    isCsrfTokenOf: ({ csrfToken }, sent) => equal(sent, csrfToken),
  };
}

/**
 * Whether the request targets a loopback host. The cookie without prefix is valid only there. On other hosts, a sibling
 * domain could set it.
 */
function isLocal({ host }: Context): boolean {
  return isLoopbackHost(host);
}

/** Uses the scheme of `Origin`, because a proxy may terminate TLS. Callers have checked that it is the site's own. */
function setCookie(ctx: Context, value: string, seconds: number): void {
  const isSecure = ctx.get('Origin').startsWith('https:');
  if (!isSecure && !isLocal(ctx)) throw needsTls();
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

/**
 * How long a row outlives its session, in milliseconds. An instance whose clock is ahead would otherwise delete it while
 * others still accept the cookie.
 */
const keepPeriod = 30 * 24 * 60 * 60_000;

/** Revokes a session in all instances, so that a copied cookie is invalid too. */
export async function revokeSession(
  transaction: Transaction<Tables>,
  { id, expiresAt }: SessionIdentity,
): Promise<void> {
  const longExpired = new Date(Date.now() - keepPeriod).toISOString();
  await transaction.deleteFrom('endedSessions').where('expiresAt', '<=', longExpired).execute();
  await transaction
    .insertInto('endedSessions')
    .values({ id, expiresAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

async function isRevoked(db: Kysely<Tables>, { id }: SessionIdentity): Promise<boolean> {
  const row = await db.selectFrom('endedSessions').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}
