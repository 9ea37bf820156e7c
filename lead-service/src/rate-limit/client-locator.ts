import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { Log } from '../platform/log.ts';

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
