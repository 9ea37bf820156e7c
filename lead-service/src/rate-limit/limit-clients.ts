import type { Middleware } from 'koa';
import type { DefinedError } from '../http/errors.ts';
import type { LocateClient } from './client-locator.ts';
import { createCounter } from './counter.ts';

const windowInSeconds = 600;

/**
 * Rate limit of one kind of request, by address and by network: sets the RateLimit headers
 * (draft-ietf-httpapi-ratelimit-headers-11), and throws `tooMany` beyond the quota.
 *
 * @param quota of an address within ten minutes; a network may send four times as many. 0 means unlimited
 * @param tooMany gets the seconds until the client may send again
 */
export function limitClients(
  quota: number,
  clientOf: LocateClient,
  tooMany: DefinedError<number>,
): Middleware {
  if (quota === 0) return (_ctx, next) => next();
  const limits = [
    { name: 'address', quota, counter: createCounter(windowInSeconds) },
    { name: 'network', quota: 4 * quota, counter: createCounter(windowInSeconds) },
  ] as const;
  const policy = limits.map((limit) => `"${limit.name}";q=${limit.quota};w=${windowInSeconds}`).join(', ');
  return (ctx, next) => {
    const client = clientOf(ctx.req);
    const states = limits.map((limit) => ({ ...limit, ...limit.counter.add(client[limit.name]) }));
    ctx.set({
      'RateLimit-Policy': policy,
      RateLimit: states
        .map(
          ({ name, quota, points, secondsLeft }) =>
            `"${name}";r=${Math.max(quota - points, 0)};t=${secondsLeft}`,
        )
        .join(', '),
    });
    const exceeded = states.filter((state) => state.points > state.quota);
    if (exceeded.length > 0) throw tooMany(Math.max(1, ...exceeded.map(({ secondsLeft }) => secondsLeft)));
    return next();
  };
}
