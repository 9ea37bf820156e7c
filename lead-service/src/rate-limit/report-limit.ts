import type { Middleware } from 'koa';
import type { LocateClient } from '../abuse/client.ts';
import type { OpenCounter } from '../abuse/counters.ts';
import { tooManyReports } from '../errors.ts';

/** A visitor who stays all day sends fewer: one report for each ten seconds in which something happened. */
const windowInSeconds = 600;

/**
 * Refuses reports of an address that sends too many: 429. Reports move canaries, so nobody's may outweigh all others'.
 *
 * @param quota reports within ten minutes; 0: as many as anybody likes
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
