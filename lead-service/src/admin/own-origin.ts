import type { Middleware } from 'koa';
import { isFromOwnPage } from '../abuse/is-from-own-page.ts';
import { forgedForm } from './admin-errors.ts';

/**
 * Refuses a form that no page of ours has sent. Stricter than for leads: browsers name the origin of every form, and
 * nothing but a browser uses the inbox.
 */
export const ownOrigin: Middleware = (ctx, next) => {
  const site = ctx.get('Sec-Fetch-Site');
  if (!isFromOwnPage(ctx) || (site !== '' && site !== 'same-origin')) throw forgedForm();
  return next();
};
