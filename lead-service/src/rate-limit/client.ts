import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { Log } from '../log.ts';
import type { KeyedHash } from './keyed-hash.ts';

/** Where a request comes from. Each is a hash: nothing that is counted is counted under an address. */
export interface Client {
  /** The same however the address is written. */
  readonly address: string;
  /** The /24 of an IPv4 address, the /64 of an IPv6 address. */
  readonly network: string;
}

export type LocateClient = (request: IncomingMessage) => Client;

/** Most come again at once: with the next form, the next lead, the next benchmark. */
const mostRemembered = 10_000;

/**
 * Finds out who has sent a request: the socket's other end, or, behind a number of proxies that can be trusted, what the
 * outermost of them has added to `X-Forwarded-For`. What stands to the left of that was sent along by the client and is
 * ignored. Where nothing can be read, the socket's other end counts, which the log says once.
 *
 * @param hops how many proxies each add the address they were called from
 * @param setting the name of that setting
 */
export function createClientLocator(
  hops: number,
  hash: KeyedHash,
  log: Log,
  setting = 'TRUSTED_PROXY_HOPS',
): LocateClient {
  let hasWarned = false;
  const remembered = new Map<string, Client>();
  const nowhere: Client = { address: hash('unknown'), network: hash('unknown') };

  function locate(text: string | undefined): Client | undefined {
    if (text === undefined) return undefined;
    const known = remembered.get(text);
    if (known !== undefined || !ipaddr.isValid(text)) return known;
    // An IPv4 address in the clothes of IPv6 becomes the IPv4 address that it is.
    const address = ipaddr.process(text);
    const bytes = address.toByteArray();
    const prefix = bytes.slice(0, address.kind() === 'ipv4' ? 3 : 8);
    const client = { address: hash(bytes.join('.')), network: hash(prefix.join('.')) };
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(text, client);
    return client;
  }

  return ({ headers, socket }) => {
    const nearest = () => locate(socket.remoteAddress) ?? nowhere;
    if (hops === 0) return nearest();
    const forwarded = locate(fromTheRight(String(headers['x-forwarded-for'] ?? ''), hops));
    if (forwarded === undefined && !hasWarned) {
      log.warn(`X-Forwarded-For lacks an address: check ${setting}, visitors count as one`, { hops });
      hasWarned = true;
    }
    return forwarded ?? nearest();
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
