import type { Client } from './client.ts';
import { createCounter } from './counters.ts';

/** Rate limits of one kind of request, by address and by network. */
interface ClientLimits {
  count(client: Client): LimitState;
}

interface LimitState {
  /** RateLimit headers (draft-ietf-httpapi-ratelimit-headers-11). */
  readonly headers: Readonly<Record<string, string>>;
  /** Seconds until the client may send again. Undefined if it is not limited. */
  readonly refusedFor: number | undefined;
}

const windowInSeconds = 600;

/** @param quota of an address within ten minutes; a network may send four times as many. 0 means unlimited */
export function createClientLimits(quota: number): ClientLimits {
  const quotas = { address: quota, network: 4 * quota };
  const limits = (['address', 'network'] as const)
    .map((name) => ({ name, quota: quotas[name], counter: createCounter(windowInSeconds) }))
    .filter(({ quota }) => quota > 0);
  const policy = limits.map(({ name, quota }) => `"${name}";q=${quota};w=${windowInSeconds}`).join(', ');
  return {
    count(client) {
      if (limits.length === 0) return { headers: {}, refusedFor: undefined };
      let refusedFor: number | undefined;
      const states: string[] = [];
      for (const { name, quota, counter } of limits) {
        const { points, secondsLeft } = counter.add(client[name]);
        states.push(`"${name}";r=${Math.max(quota - points, 0)};t=${secondsLeft}`);
        if (points > quota) refusedFor = Math.max(refusedFor ?? 1, secondsLeft);
      }
      return { headers: { 'RateLimit-Policy': policy, RateLimit: states.join(', ') }, refusedFor };
    },
  };
}
