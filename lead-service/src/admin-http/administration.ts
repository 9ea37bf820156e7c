import type { DefaultState, Middleware, Context } from 'koa';
import { databaseUnavailable, missingScope, unauthorized } from '../http/errors.ts';
import { HttpError } from '../http/http-error.ts';
import type { AdminContext } from '../lead-admin/admin-context.ts';
import type { Secret } from '../platform/secret.ts';
import { type AdminScope, type AdminToken, findToken } from './admin-token.ts';
import type { FailedLogins } from './failed-logins.ts';

/** Dependencies of the admin API and the inbox. */
export interface Administration extends Omit<AdminContext, 'actor'> {
  readonly tokens: readonly AdminToken[];
  readonly secret: Secret;
  readonly failedLogins: FailedLogins;
}

export interface AdminState extends DefaultState {
  readonly token: AdminToken;
}

type AdminMiddleware = Middleware<AdminState>;

export function adminContextOf(
  { database, dataDirectory }: Administration,
  { name }: AdminToken,
): AdminContext {
  return { database, dataDirectory, actor: name };
}

/** Refuses tokens without the scope: 403. Runs after the middleware that sets the token. */
export function requireScope(scope: AdminScope): AdminMiddleware {
  return (ctx, next) => {
    if (!ctx.state.token.scopes.includes(scope)) throw missingScope(scope);
    return next();
  };
}

/** Keeps answers from caches, and their types from guesses of the browser. */
export const noStore: Middleware = (ctx, next) => {
  ctx.set('Cache-Control', 'no-store');
  ctx.set('X-Content-Type-Options', 'nosniff');
  return next();
};

/** Answers 503 while the database is unavailable. */
export function orUnavailable({ database }: Administration): Middleware {
  return async (_ctx, next) => {
    try {
      await next();
    } catch (error) {
      const isUnavailable =
        !(error instanceof HttpError) && database.access.unavailability(error) !== undefined;
      throw isUnavailable ? databaseUnavailable(error) : error;
    }
  };
}

/**
 * The admin context of the token in `Authorization: Bearer …`. Refuses requests without a known token (401), which it
 * audits, and tokens without the scope (403).
 */
export async function authorize(
  administration: Administration,
  ctx: Context,
  scope: AdminScope,
): Promise<AdminContext> {
  const { tokens, failedLogins } = administration;
  const presented = /^Bearer +(\S+)$/i.exec(ctx.get('Authorization'))?.[1];
  if (presented === undefined) throw unauthorized();
  await failedLogins.refuseRepeated(ctx.req, 'api.login-failed');
  const token = findToken(tokens, presented);
  if (token === undefined) {
    await failedLogins.record(ctx.req, 'api.login-failed');
    throw unauthorized();
  }
  if (!token.scopes.includes(scope)) throw missingScope(scope);
  return adminContextOf(administration, token);
}
