import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { KeyedHash } from '../platform/keyed-hash.ts';
import type { Log } from '../platform/log.ts';

/** Origin of a request. Both values are keyed hashes, so that counters store no addresses. */
export interface Client {
  readonly address: string;
  /** Hash of the /24 of an IPv4 address, or of the /64 of an IPv6 address. */
  readonly network: string;
}

export type LocateClient = (request: IncomingMessage) => Client;

/** Cache size. Most clients send several requests within a short time, so hashes are cached. */
const maxCached = 10_000;

/**
 * Determines the client of a request: the socket address or, behind trusted proxies, the entry of the outermost one in
 * `X-Forwarded-For`. Entries to the left come from the client and are ignored, because they may be forged. If the
 * header lacks a valid entry, the socket address counts, and the log warns once.
 *
 * @param hops number of trusted proxies, each of which appends the address of its client
 * @param setting name of the environment variable for `hops`
 */
export function createClientLocator(
  hops: number,
  hash: KeyedHash,
  log: Log,
  setting = 'TRUSTED_PROXY_HOPS',
): LocateClient {
  let hasWarned = false;
  const cache = new Map<string, Client>();
  /** Of a socket that has closed, which has no address any more. */
  const unknownClient: Client = { address: hash('unknown'), network: hash('unknown') };

  function locate(text: string | undefined): Client | undefined {
    if (text === undefined) return undefined;
    const known = cache.get(text);
    if (known !== undefined) return known;
    if (!ipaddr.isValid(text)) return undefined;
    // Converts IPv4-mapped IPv6 addresses to IPv4.
    const address = ipaddr.process(text);
    const bytes = address.toByteArray();
    const prefix = bytes.slice(0, address.kind() === 'ipv4' ? 3 : 8);
    const client = { address: hash(bytes.join('.')), network: hash(prefix.join('.')) };
    if (cache.size >= maxCached) cache.clear();
    cache.set(text, client);
    return client;
  }

  return ({ headers, socket }) => {
    const socketClient = () => locate(socket.remoteAddress) ?? unknownClient;
    if (hops === 0) return socketClient();
    const forwarded = locate(fromTheRight(String(headers['x-forwarded-for'] ?? ''), hops));
    if (forwarded === undefined && !hasWarned) {
      log.warn(`X-Forwarded-For has no valid entry, so all visitors share one limit. Check ${setting}.`, {
        hops,
      });
      hasWarned = true;
    }
    return forwarded ?? socketClient();
  };
}

function fromTheRight(list: string, position: number): string | undefined {
  const entry = list.split(',').at(-position)?.trim();
  return entry === undefined ? undefined : withoutPort(entry);
}

/** Some proxies add the port: `192.0.2.1:5678`, `[2001:db8::1]:443`. */
function withoutPort(entry: string): string {
  const [, ipv6, ipv4] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(entry) ?? [];
  return ipv6 ?? ipv4 ?? entry;
}
