import type { Middleware } from 'koa';
import { foreignOrigin } from '../errors.ts';
import { isFromOwnPage } from './is-from-own-page.ts';

/**
 * Refuses what a browser sends from a page of another site: 403. A caller that is no browser says neither where it is
 * nor whose page it shows, and passes.
 *
 * @param allowed origins of other sites that may
 */
export function sameOrigin(allowed: readonly string[]): Middleware {
  return (ctx, next) => {
    const origin = ctx.get('Origin');
    if (origin !== '' && allowed.includes(origin)) return next();
    if (ctx.get('Sec-Fetch-Site') === 'cross-site') throw foreignOrigin();
    if (origin !== '' && !isFromOwnPage(ctx)) throw foreignOrigin();
    return next();
  };
}
