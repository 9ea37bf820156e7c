import type { Context } from 'koa';

/** Whether the host of the Origin header equals the Host header. */
export function isSameOrigin(ctx: Pick<Context, 'get'>): boolean {
  return URL.parse(ctx.get('Origin'))?.host === ctx.get('Host').toLowerCase();
}
