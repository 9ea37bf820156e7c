import type { Middleware } from 'koa';

const exposed = ['Idempotency-Replayed', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'];

/**
 * CORS for leads: lets scripts of the allowed origins send them and read the responses. Answers preflight requests with
 * 204. Other origins get no CORS headers.
 *
 * @param allowed origins of other sites
 */
export function crossOrigin(allowed: readonly string[]): Middleware {
  return (ctx, next) => {
    const origin = ctx.get('Origin');
    if (!allowed.includes(origin)) return next();
    ctx.vary('Origin');
    ctx.set({
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': exposed.join(', '),
    });
    if (ctx.method !== 'OPTIONS') return next();
    ctx.set({
      'Access-Control-Allow-Methods': 'POST',
      // Every asked header, because tools of the allowed sites add headers of their own, such as `traceparent`.
      'Access-Control-Allow-Headers': ctx.get('Access-Control-Request-Headers'),
      // Seconds. Browsers cap the preflight cache at two hours.
      'Access-Control-Max-Age': '7200',
    });
    ctx.vary('Access-Control-Request-Headers');
    ctx.status = 204;
    return undefined;
  };
}
