import type { Middleware } from 'koa';
import { tooManyReports } from '../http/errors.ts';
import type { LocateClient } from './client.ts';
import type { OpenCounter } from './counters.ts';

/** A page sends at most one report per ten seconds, so normal visitors stay below the limit. */
const windowInSeconds = 600;

/**
 * Middleware that answers 429 to an address with too many reports. Reports decide about canaries, so one client must
 * not outweigh the others.
 *
 * @param quota reports within ten minutes; 0 means unlimited
 */
export function limitReports(quota: number, clientOf: LocateClient, open: OpenCounter): Middleware {
  const counter = open('reports', windowInSeconds);
  return async (ctx, next) => {
    if (quota > 0) {
      const { times, secondsLeft } = await counter.add(clientOf(ctx.req).address);
      if (times > quota) throw tooManyReports(Math.max(1, secondsLeft));
    }
    await next();
  };
}
