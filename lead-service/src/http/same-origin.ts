import type { Context, Middleware } from 'koa';
import { foreignOrigin, forgedForm } from './errors.ts';

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

/**
 * CSRF protection of the inbox. Stricter than for leads, because only browsers use the inbox, and they send an origin with
 * every form.
 */
export const strictSameOrigin: Middleware = (ctx, next) => {
  const site = ctx.get('Sec-Fetch-Site');
  if (!isSameOrigin(ctx) || (site !== '' && site !== 'same-origin')) throw forgedForm();
  return next();
};

function isSameOrigin(ctx: Context): boolean {
  return URL.parse(ctx.get('Origin'))?.host === ctx.get('Host').toLowerCase();
}
