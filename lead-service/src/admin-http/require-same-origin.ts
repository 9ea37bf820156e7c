import type { Middleware } from 'koa';
import { forgedForm } from '../http/errors.ts';
import { isSameOrigin } from '../http/is-same-origin.ts';

/**
 * Refuses cross-origin forms (CSRF). Stricter than for leads, because only browsers use the inbox, and they send an origin
 * with every form.
 */
export const requireSameOrigin: Middleware = (ctx, next) => {
  const site = ctx.get('Sec-Fetch-Site');
  if (!isSameOrigin(ctx) || (site !== '' && site !== 'same-origin')) throw forgedForm();
  return next();
};
