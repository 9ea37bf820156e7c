import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { Middleware } from 'koa';
import type { DefinedError } from '../http/errors.ts';
import type { Log } from '../platform/log.ts';

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

/** Sender of a request. Only counters in memory hold these values, because they are personal data. */
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

/** Counts by key, in the memory of this process. Each key has its own fixed window, which starts with its first count. */
export interface Counter {
  /** Adds to a key. Negative points subtract. */
  add(key: string, points?: number): Count;
  /** The points of a key in its window; 0 outside of a window. */
  read(key: string): number;
}

interface Count {
  readonly points: number;
  /** Seconds until the window ends. */
  readonly secondsLeft: number;
}

/** Maximum number of windows of a counter. */
export const maxKeys = 20_000;
/** Oldest windows that are removed at the maximum. Many at once, because finding the first entry of a `Map` passes all deleted ones. */
export const removedKeys = 1_000;

export function createCounter(windowInSeconds: number): Counter {
  // Windows of equal length end in the order in which they began, which is the order of the map.
  const windows = new Map<string, { points: number; readonly end: number }>();

  function find(key: string) {
    const window = windows.get(key);
    return window !== undefined && window.end > now() ? window : undefined;
  }

  function begin(key: string) {
    const window = { points: 0, end: now() + windowInSeconds * 1_000 };
    // An ended window of the key would keep its place in the order.
    windows.delete(key);
    if (windows.size === maxKeys)
      [...windows.keys()].slice(0, removedKeys).forEach((old) => windows.delete(old));
    windows.set(key, window);
    return window;
  }

  return {
    add(key, points = 1) {
      const window = find(key) ?? begin(key);
      window.points += points;
      return { points: window.points, secondsLeft: Math.ceil((window.end - now()) / 1_000) };
    },
    read: (key) => find(key)?.points ?? 0,
  };
}

/** Whole milliseconds of a monotonic clock. */
function now(): number {
  return Math.round(performance.now());
}
