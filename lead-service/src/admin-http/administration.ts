import type { DefaultState, Middleware } from 'koa';
import { AnswerableError } from '../errors.ts';
import type { Desk } from '../sales/desk.ts';
import type { Secret } from '../secret.ts';
import { databaseAway, missingScope } from './admin-errors.ts';
import type { AdminScope, AdminToken } from './admin-token.ts';
import type { FailedLogins } from './failed-logins.ts';

/** What the administration over HTTP works with. */
export interface Administration extends Omit<Desk, 'actor'> {
  readonly tokens: readonly AdminToken[];
  readonly secret: Secret;
  readonly failedLogins: FailedLogins;
}

/** What is known of a request once its sender is. */
export interface AdminState extends DefaultState {
  readonly token: AdminToken;
}

export type AdminMiddleware = Middleware<AdminState>;

/** The desk of whoever holds the token. */
export function deskOf({ database, dataDirectory }: Administration, { name }: AdminToken): Desk {
  return { database, dataDirectory, actor: name };
}

/** Lets through only whose token has the scope: 403. */
export function allow(scope: AdminScope): AdminMiddleware {
  return (ctx, next) => {
    if (!ctx.state.token.scopes.includes(scope)) throw missingScope(scope);
    return next();
  };
}

/** Nothing of it is kept by browsers or proxies. A database that is away is no mistake of ours: 503. */
export function privately({ database }: Administration): Middleware {
  return async (ctx, next) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.set('X-Content-Type-Options', 'nosniff');
    try {
      await next();
    } catch (error) {
      const isAway =
        !(error instanceof AnswerableError) && database.access.unavailability(error) !== undefined;
      throw isAway ? databaseAway(error) : error;
    }
  };
}
