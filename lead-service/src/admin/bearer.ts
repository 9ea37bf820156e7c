import { unauthorized } from './admin-errors.ts';
import { findToken } from './admin-token.ts';
import type { Administration, AdminMiddleware } from './administration.ts';

/** Lets through only who sends a known token as `Authorization: Bearer …`: 401. An unknown one is in the audit log. */
export function bearer({ tokens, failedLogins }: Administration): AdminMiddleware {
  return async (ctx, next) => {
    const presented = /^Bearer +(\S+)$/i.exec(ctx.get('Authorization'))?.[1];
    if (presented === undefined) throw unauthorized();
    await failedLogins.refuseRepeated(ctx.req, 'api.login-failed');
    const token = findToken(tokens, presented);
    if (token === undefined) {
      await failedLogins.record(ctx.req, 'api.login-failed');
      throw unauthorized();
    }
    ctx.state = { ...ctx.state, token };
    return next();
  };
}
