import { wholeNumber } from '@countersign/contracts/settings';
import type { Middleware } from 'koa';
import * as z from 'zod';
import type { HttpError } from '../http/errors.ts';
import type { LocateClient } from './client-locator.ts';
import type { Counters } from './counter.ts';

export const quotaSettings = z.object({
  TRUSTED_PROXY_HOPS: wholeNumber(0, 16)
    .default(0)
    .describe(
      'Number of own proxies in front of the service, each of which appends to `X-Forwarded-For`. Entries that a client forges have no effect. Entries may contain ports',
    ),
  LEADS_PER_ADDRESS: wholeNumber(0, 1_000_000)
    .default(600)
    .describe(
      'Leads that one address may send within ten minutes, to all instances together unless the database is down, and as many page reports. Its network (/24 of IPv4, /64 of IPv6) may send four times as many. `0`: no limit',
    ),
});

const windowInSeconds = 600;

/** How clients are told apart and counted. */
export interface ClientLimits {
  /** Requests of an address within ten minutes; a network may send four times as many. 0 means unlimited. */
  readonly quota: number;
  readonly counters: Counters;
  readonly clientOf: LocateClient;
}

/**
 * Rate limit of one kind of request, by address and by network: sets the RateLimit headers
 * (draft-ietf-httpapi-ratelimit-headers-11), and throws `tooMany` beyond the quota.
 *
 * @param what name of this kind of request, whose counts are apart from those of others
 * @param tooMany gets the seconds until the client may send again
 */
export function limitClients(
  { quota, counters, clientOf }: ClientLimits,
  what: string,
  tooMany: (secondsLeft: number) => HttpError,
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
