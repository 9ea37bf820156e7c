import type { Context } from 'koa';

/** Whether the page that a browser names as the origin of a request is one of the host that the request went to. */
export function isFromOwnPage(ctx: Pick<Context, 'get'>): boolean {
  return URL.parse(ctx.get('Origin'))?.host === ctx.get('Host').toLowerCase();
}
