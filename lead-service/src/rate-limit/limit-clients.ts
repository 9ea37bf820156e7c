import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { wholeNumber } from '@countersign/contracts/settings';
import ipaddr from 'ipaddr.js';
import type { Middleware } from 'koa';
import * as z from 'zod';
import { HttpError } from '../http/errors.ts';
import type { Log } from '../platform/log.ts';
import type { Counters } from './counters.ts';

export const quotaSettings = z.object({
  TRUSTED_PROXY_HOPS: wholeNumber(0, 16)
    .default(0)
    .describe(
      'Number of own proxies in front of the service, each of which appends to `X-Forwarded-For`. Entries that a client forges have no effect. Entries may contain ports',
    ),
  LEADS_PER_ADDRESS: wholeNumber(0, 1_000_000)
    .default(600)
    .describe(
      'Requests with a lead that one address may send within ten minutes, also invalid ones, to all instances together unless the database is down, and as many page reports. Its network (/24 of IPv4, /64 of IPv6) may send four times as many. `0`: no limit',
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
 * Rate limit of one kind of request, by address and by network. Answers 429 beyond the quota.
 *
 * @param what name of this kind of request, whose counts are apart from those of others
 * @param textFor the message, by the seconds until the client may send again
 */
export function limitClients(
  { quota, counters, clientOf }: ClientLimits,
  what: string,
  refusal: 'too-many-leads' | 'too-many-reports',
  textFor: (secondsLeft: number) => string,
): Middleware {
  if (quota === 0) return (_ctx, next) => next();
  const limits = [
    { of: 'address', max: quota, counter: counters.open(`${what} address`, windowInSeconds) },
    { of: 'network', max: 4 * quota, counter: counters.open(`${what} network`, windowInSeconds) },
  ] as const;
  return async (ctx, next) => {
    const client = clientOf(ctx.req);
    const waits = await Promise.all(
      limits.map(async ({ of, max, counter }) => {
        const { points, secondsLeft } = await counter.add(client[of], max / 2);
        return points > max ? Math.max(secondsLeft, 1) : 0;
      }),
    );
    const wait = Math.max(...waits);
    if (wait > 0)
      throw new HttpError(refusal, { text: textFor(wait), headers: { 'Retry-After': String(wait) } });
    await next();
  };
}

/** Sender of a request. Only memory holds these values, because they are personal data; PostgreSQL gets keyed hashes. */
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

/** Without the name of an interface, `%eth0.1`. */
function locate(entry = ''): Client | undefined {
  const [text = ''] = entry.split('%');
  if (isIP(text) === 0) return undefined;
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
