import type { DefaultState, Middleware } from 'koa';
import { databaseUnavailable, missingScope } from '../http/errors.ts';
import { HttpError } from '../http/http-error.ts';
import type { AdminContext } from '../lead-admin/admin-context.ts';
import type { Secret } from '../platform/secret.ts';
import type { AdminScope, AdminToken } from './admin-token.ts';
import type { FailedLogins } from './failed-logins.ts';

/** Dependencies of the admin server. */
export interface Administration extends Omit<AdminContext, 'actor'> {
  readonly tokens: readonly AdminToken[];
  readonly secret: Secret;
  readonly failedLogins: FailedLogins;
}

/** State of an authenticated request. */
export interface AdminState extends DefaultState {
  readonly token: AdminToken;
}

type AdminMiddleware = Middleware<AdminState>;

/** The admin context of a token holder. */
export function adminContextOf(
  { database, dataDirectory }: Administration,
  { name }: AdminToken,
): AdminContext {
  return { database, dataDirectory, actor: name };
}

/** Refuses tokens without the scope: 403. */
export function requireScope(scope: AdminScope): AdminMiddleware {
  return (ctx, next) => {
    if (!ctx.state.token.scopes.includes(scope)) throw missingScope(scope);
    return next();
  };
}

/** Prevents caching by browsers and proxies. Answers 503 while the database is unavailable. */
export function noStore({ database }: Administration): Middleware {
  return async (ctx, next) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.set('X-Content-Type-Options', 'nosniff');
    try {
      await next();
    } catch (error) {
      const isUnavailable =
        !(error instanceof HttpError) && database.access.unavailability(error) !== undefined;
      throw isUnavailable ? databaseUnavailable(error) : error;
    }
  };
}
