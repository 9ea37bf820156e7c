import type { Quotas } from './abuse-config.ts';
import type { Client } from './client.ts';
import type { OpenCounter } from './counters.ts';

/** Rate limits of one kind of request, by address and by network. */
export interface ClientLimits {
  count(client: Client): Promise<LimitState>;
}

interface LimitState {
  /** RateLimit headers (draft-ietf-httpapi-ratelimit-headers-11). */
  readonly headers: Readonly<Record<string, string>>;
  /** Seconds until the client may send again. Undefined if it is not limited. */
  readonly refusedFor: number | undefined;
}

const windowInSeconds = 600;

/** @param kind namespace of the counters */
export function createClientLimits(
  kind: 'leads' | 'reports',
  quotas: Quotas,
  open: OpenCounter,
): ClientLimits {
  const limits = (['address', 'network'] as const)
    .map((name) => ({ name, quota: quotas[name], counter: open(`${kind}-${name}`, windowInSeconds) }))
    .filter(({ quota }) => quota > 0);
  const policy = limits.map(({ name, quota }) => `"${name}";q=${quota};w=${windowInSeconds}`).join(', ');

  return {
    async count(client) {
      if (limits.length === 0) return { headers: {}, refusedFor: undefined };
      const states = await Promise.all(
        limits.map(async ({ name, quota, counter }) => {
          const { points, secondsLeft } = await counter.add(client[name]);
          return { name, remaining: Math.max(quota - points, 0), exceeded: points > quota, secondsLeft };
        }),
      );
      const waits = states.filter(({ exceeded }) => exceeded).map(({ secondsLeft }) => secondsLeft);
      return {
        headers: {
          'RateLimit-Policy': policy,
          RateLimit: states
            .map(({ name, remaining, secondsLeft }) => `"${name}";r=${remaining};t=${secondsLeft}`)
            .join(', '),
        },
        refusedFor: waits.length > 0 ? Math.max(1, ...waits) : undefined,
      };
    },
  };
}
