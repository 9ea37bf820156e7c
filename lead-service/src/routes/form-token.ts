import { formTokenPath, type FormToken } from '@countersign/contracts/lead';
import Router from '@koa/router';
import type { LeadGuard } from '../abuse/lead-guard.ts';

/**
 * `GET /api/form-token`: 200 and a `FormToken` for a form that is being opened, good for one day. It comes with a
 * challenge when the caller's network has sent leads that were held back, or too many. A form without it is still taken.
 */
export function formTokenRoutes({ issueToken }: Pick<LeadGuard, 'issueToken'>): Router {
  return new Router().get(formTokenPath, async (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.body = (await issueToken(ctx.req)) satisfies FormToken;
  });
}
