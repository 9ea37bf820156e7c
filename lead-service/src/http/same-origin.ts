import type { Middleware } from 'koa';
import { foreignOrigin } from './errors.ts';
import { isSameOrigin } from './is-same-origin.ts';

/**
 * CSRF protection: refuses browser requests from pages of other origins with 403. Requests without Origin and
 * Sec-Fetch-Site headers do not come from a browser, and pass.
 *
 * @param allowed origins of other sites that may send
 */
export function sameOrigin(allowed: readonly string[]): Middleware {
  return (ctx, next) => {
    const origin = ctx.get('Origin');
    if (origin !== '' && allowed.includes(origin)) return next();
    if (ctx.get('Sec-Fetch-Site') === 'cross-site') throw foreignOrigin();
    if (origin !== '' && !isSameOrigin(ctx)) throw foreignOrigin();
    return next();
  };
}
