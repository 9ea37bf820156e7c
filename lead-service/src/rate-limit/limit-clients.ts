import type { Middleware } from 'koa';
import type { DefinedError } from '../http/http-error.ts';
import type { LocateClient } from './client-locator.ts';
import type { Counters } from './counter.ts';

const windowInSeconds = 600;

/** How clients are told apart and counted. */
export interface ClientCounts {
  readonly counters: Counters;
  readonly clientOf: LocateClient;
}

/**
 * Rate limit of one kind of request, by address and by network: sets the RateLimit headers
 * (draft-ietf-httpapi-ratelimit-headers-11), and throws `tooMany` beyond the quota.
 *
 * @param quota of an address within ten minutes; a network may send four times as many. 0 means unlimited
 * @param what name of this kind of request, whose counts are apart from those of others
 * @param tooMany gets the seconds until the client may send again
 */
export function limitClients(
  quota: number,
  { counters, clientOf }: ClientCounts,
  what: string,
  tooMany: DefinedError<number>,
): Middleware {
  if (quota === 0) return (_ctx, next) => next();
  const limits = [
    { name: 'address', quota, counter: counters.open(`${what} address`, windowInSeconds) },
    { name: 'network', quota: 4 * quota, counter: counters.open(`${what} network`, windowInSeconds) },
  ] as const;
  const policy = limits.map((limit) => `"${limit.name}";q=${limit.quota};w=${windowInSeconds}`).join(', ');
  return async (ctx, next) => {
    const client = clientOf(ctx.req);
    const states = await Promise.all(
      limits.map(async (limit) => ({
        ...limit,
        ...(await limit.counter.add(client[limit.name], limit.quota / 2)),
      })),
    );
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
    await next();
  };
}
