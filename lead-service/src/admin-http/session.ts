import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { clockTolerance } from '../clock-tolerance.ts';
import type { Secret } from '../secret.ts';
import type { Database } from '../store/database.ts';
import { needsTls } from './admin-errors.ts';
import type { AdminToken } from './admin-token.ts';
import { isEnded, type SessionMark } from './ended-sessions.ts';

/** Somebody who has shown their token to the inbox. */
export interface Session extends SessionMark {
  readonly token: AdminToken;
  /** What forms of this session, and no other, must send along. */
  readonly csrfToken: string;
}

/** Keeps who is logged in in a signed cookie, which any instance can read. Only what has been ended is in the database. */
export interface Sessions {
  begin(ctx: Context, token: AdminToken): void;
  /** The session of a request, if it has one that is still good. */
  find(ctx: Context): Promise<Session | undefined>;
  /** Takes the cookie back. The session is over with `endSession`. */
  forget(ctx: Context): void;
  /** Whether a form was made for this session. */
  isOwnForm(session: Session, csrfToken: string): boolean;
}

const lifetime = 8 * 60 * 60_000;
const plainName = 'leads-session';
/** Browsers keep a cookie with this beginning only if it came over TLS, and let no neighbouring host set it. */
const secureName = `__Host-${plainName}`;

/**
 * The cookie is `name.expiry.nonce.signature`. The token's hash is signed along: a token that is removed, or replaced
 * under the same name, ends its sessions.
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
      // Begun by a clock that was ahead, it would last for longer than it may.
      if (timeLeft <= 0 || timeLeft > lifetime + clockTolerance) return undefined;
      const session = { token, id, expiresAt: new Date(Number(expiry)).toISOString() };
      if (await isEnded(db, session)) return undefined;
      return { ...session, csrfToken: csrfTokenOf(cookie) };
    },
    forget: (ctx) => setCookie(ctx, '', 0),
    isOwnForm: ({ csrfToken }, sent) => equal(sent, csrfToken),
  };
}

/**
 * Whether a browser talks to its own machine. Only there, without a network between, the plain cookie counts: anywhere
 * else a neighbouring host could have set it.
 */
function isLocal({ hostname }: Context): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** The browser itself says whether it came over TLS, which a proxy in front may have ended. */
function setCookie(ctx: Context, value: string, seconds: number): void {
  const isSecure = ctx.get('Origin').startsWith('https:');
  if (!isSecure && !isLocal(ctx)) throw needsTls();
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
  ctx.append(
    'Set-Cookie',
    isSecure ? `${secureName}=${value}; ${attributes}; Secure` : `${plainName}=${value}; ${attributes}`,
  );
}

/** Takes the same time wherever two texts of one length differ. */
function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
