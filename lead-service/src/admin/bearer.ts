import { unauthorized } from './admin-errors.ts';
import { findToken, type AdminToken } from './admin-token.ts';
import type { AdminMiddleware } from './administration.ts';

/** Lets through only who sends a known token as `Authorization: Bearer …`: 401. */
export function bearer(tokens: readonly AdminToken[]): AdminMiddleware {
  return (ctx, next) => {
    const presented = /^Bearer +(\S+)$/i.exec(ctx.get('Authorization'))?.[1];
    const token = presented === undefined ? undefined : findToken(tokens, presented);
    if (token === undefined) throw unauthorized();
    ctx.state = { ...ctx.state, token };
    return next();
  };
}
