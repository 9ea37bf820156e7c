import ipaddr from 'ipaddr.js';
import { createCounter } from './counters.ts';
import type { IncomingMessage } from 'node:http';
import type { Log } from '../platform/log.ts';

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

/** Origin of a request. Only counters in memory have these values. */
export interface Client {
  readonly address: string;
  /** The /24 of an IPv4 address, or the /64 of an IPv6 address. */
  readonly network: string;
}

export type LocateClient = (request: IncomingMessage) => Client;

/**
 * Determines the client of a request: the socket address or, behind trusted proxies, the entry of the outermost one in
 * `X-Forwarded-For`. Entries to the left come from the client and are ignored, because they may be forged. If the
 * header lacks a valid entry, the socket address counts, and the log warns once.
 *
 * @param hops number of trusted proxies, each of which appends the address of its client
 */
export function createClientLocator(hops: number, log: Log): LocateClient {
  let hasWarned = false;
  return ({ headers, socket }) => {
    // A socket that has closed has no address any more.
    const socketClient = () => locate(socket.remoteAddress) ?? { address: 'unknown', network: 'unknown' };
    if (hops === 0) return socketClient();
    const forwarded = locate(fromTheRight(String(headers['x-forwarded-for'] ?? ''), hops));
    if (forwarded === undefined && !hasWarned) {
      log.warn(
        'X-Forwarded-For has no valid entry, so all visitors share one limit. Check TRUSTED_PROXY_HOPS.',
        { hops },
      );
      hasWarned = true;
    }
    return forwarded ?? socketClient();
  };
}

function locate(text = ''): Client | undefined {
  if (!ipaddr.isValid(text)) return undefined;
  // Converts IPv4-mapped IPv6 addresses to IPv4.
  const address = ipaddr.process(text);
  const bytes = address.toByteArray();
  return {
    address: bytes.join('.'),
    network: bytes.slice(0, address.kind() === 'ipv4' ? 3 : 8).join('.'),
  };
}

/** Some proxies add the port: `192.0.2.1:5678`, `[2001:db8::1]:443`. */
function fromTheRight(list: string, position: number): string {
  const entry = list.split(',').at(-position)?.trim() ?? '';
  const [, ipv6, ipv4] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(entry) ?? [];
  return ipv6 ?? ipv4 ?? entry;
}
