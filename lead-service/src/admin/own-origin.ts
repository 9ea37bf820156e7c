import type { Middleware } from 'koa';
import { forgedForm } from './admin-errors.ts';

/**
 * Refuses a form that no page of ours has sent. Stricter than for leads: browsers name the origin of every form, and
 * nothing but a browser uses the inbox.
 */
export const ownOrigin: Middleware = (ctx, next) => {
  const site = ctx.get('Sec-Fetch-Site');
  const isOwn = URL.parse(ctx.get('Origin'))?.host === ctx.get('Host').toLowerCase();
  if (!isOwn || (site !== '' && site !== 'same-origin')) throw forgedForm();
  return next();
};
