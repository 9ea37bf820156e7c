import cors from '@koa/cors';
import { parsed } from '@countersign/contracts/settings';
import type { Context, Middleware } from 'koa';
import * as z from 'zod';
import type { Log } from '../platform/log.ts';
import { list } from '../platform/settings.ts';
import { HttpError } from './errors.ts';

export const originSettings = z.object({
  ALLOWED_ORIGINS: list(
    parsed(
      (origin) => (URL.parse(origin)?.origin === origin ? origin : undefined),
      (origin) => `must be an origin such as https://www.example.com, but is "${origin}".`,
    ),
  )
    .default([])
    .describe(
      "Comma-separated origins of other sites whose forms and scripts may send leads (CORS, without credentials). The service's own host is always allowed",
    ),
});

/**
 * CSRF protection: refuses browser requests from pages of other origins with 403. Requests without Origin and
 * Sec-Fetch-Site headers do not come from a browser, and pass.
 *
 * @param allowed origins of other sites that may send
 */
export function sameOrigin(allowed: readonly string[], log: Log): Middleware {
  let hasWarned = false;
  return (ctx, next) => {
    const origin = ctx.get('Origin');
    const site = ctx.get('Sec-Fetch-Site');
    // Before Host is compared: a page cannot forge Sec-Fetch-Site, and a proxy may spell Host differently than the browser.
    if (site === 'same-origin' || allowed.includes(origin)) return next();
    if (site === 'cross-site') throw new HttpError('foreign-origin');
    if (origin !== '' && !isOwnHost(ctx, origin)) {
      // Once, and only parsed hosts, because any client can send such requests.
      const hosts = { origin: hostOf(origin), host: hostOf(`http://${ctx.get('Host')}`) };
      if (!hasWarned) log.warn('refused a request, because its origin is not its host', hosts);
      hasWarned = true;
      throw new HttpError('foreign-origin');
    }
    return next();
  };
}

/** CSRF protection of the inbox. Stricter than for leads, because only browsers use the inbox, and they send an origin with every form. */
export const strictSameOrigin: Middleware = (ctx, next) => {
  const site = ctx.get('Sec-Fetch-Site');
  const isOwn = site === '' ? isOwnHost(ctx, ctx.get('Origin')) : site === 'same-origin';
  if (!isOwn) throw new HttpError('forged-form');
  return next();
};

/** Whether a URL has the host of the request, however a proxy spells it in the Host header. */
export function isOwnHost(ctx: Context, url: string): boolean {
  const host = hostOf(url);
  return host !== undefined && host === hostOf(`http://${ctx.get('Host')}`);
}

/** Host and port in one spelling. Both default ports are left out, because a proxy may end TLS. */
function hostOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null) return undefined;
  const { hostname, port } = parsed;
  return `${hostname.replace(/\.$/, '')}:${port === '80' || port === '443' ? '' : port}`;
}

/**
 * CORS for leads: lets scripts of the allowed origins send them and read the responses. Allows every asked header, because tools of
 * these sites add headers of their own, such as `traceparent`. Other origins get no CORS headers.
 *
 * @param allowed origins of other sites
 */
export function crossOrigin(allowed: readonly string[]): Middleware {
  return cors({
    origin: (ctx) => (allowed.includes(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    allowMethods: 'POST',
    exposeHeaders: ['Idempotency-Replayed', 'Retry-After', 'X-Request-Id'],
    // Seconds. Browsers cap the preflight cache at two hours.
    maxAge: 7_200,
  });
}
