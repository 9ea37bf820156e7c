import { formTokenPath, leadPath, leadTypes } from '@countersign/contracts/lead';
import type { Middleware } from 'koa';

const paths: ReadonlySet<string> = new Set([formTokenPath, ...leadTypes.map(leadPath)]);

const exposed = ['Idempotency-Replayed', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'];

const permissions = {
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Allow-Headers': 'Content-Type, Idempotency-Key',
  // Seconds. No browser remembers it for longer than two hours.
  'Access-Control-Max-Age': '7200',
};

/**
 * Lets scripts on pages of other sites get form tokens and send leads, and read the answers: CORS. Browsers ask with
 * `OPTIONS` first: 204. Whoever is not on the list hears nothing of it.
 *
 * @param allowed origins of the other sites
 */
export function crossOrigin(allowed: readonly string[]): Middleware {
  return (ctx, next) => {
    const origin = ctx.get('Origin');
    if (!paths.has(ctx.path) || !allowed.includes(origin)) return next();
    ctx.vary('Origin');
    ctx.set({
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': exposed.join(', '),
    });
    if (ctx.method !== 'OPTIONS') return next();
    ctx.set(permissions);
    ctx.status = 204;
    return undefined;
  };
}
