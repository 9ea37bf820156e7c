import type { Middleware } from 'koa';
import { tooManyReports } from '../http/errors.ts';
import type { Quotas } from './abuse-config.ts';
import type { LocateClient } from './client.ts';
import { createClientLimits } from './client-limits.ts';
import type { OpenCounter } from './counters.ts';

/**
 * Middleware that answers 429 to an address or network with too many reports. A page sends at most one report per ten
 * seconds, so normal visitors stay below the limit. Reports decide about canaries, so one client must not outweigh the
 * others.
 */
export function limitReports(quotas: Quotas, clientOf: LocateClient, open: OpenCounter): Middleware {
  const limits = createClientLimits('reports', quotas, open);
  return async (ctx, next) => {
    const { refusedFor } = await limits.count(clientOf(ctx.req));
    if (refusedFor !== undefined) throw tooManyReports(refusedFor);
    await next();
  };
}
