import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** Where a request comes from, however its address is written. */
export interface ClientAddress {
  readonly address: string;
  /** The /24 of an IPv4 address, the /64 of an IPv6 address. */
  readonly network: string;
}

const nowhere: ClientAddress = { address: 'unknown', network: 'unknown' };

/**
 * Who has sent a request: the socket's other end, or, behind a number of proxies that can be trusted, what the outermost
 * of them has added to `X-Forwarded-For`. What stands to the left of that was sent along by the client and is ignored.
 *
 * @param hops how many proxies each add the address they were called from
 */
export function clientAddress({ headers, socket }: IncomingMessage, hops: number): ClientAddress {
  const forwarded = hops > 0 ? fromTheRight(String(headers['x-forwarded-for'] ?? ''), hops) : undefined;
  return locate(forwarded) ?? locate(socket.remoteAddress) ?? nowhere;
}

function fromTheRight(list: string, position: number): string | undefined {
  return list.split(',').at(-position)?.trim();
}

function locate(text: string | undefined): ClientAddress | undefined {
  if (text === undefined || !ipaddr.isValid(text)) return undefined;
  // An IPv4 address in the clothes of IPv6 becomes the IPv4 address that it is.
  const address = ipaddr.process(text);
  const bytes = address.toByteArray();
  const prefix = bytes.slice(0, address.kind() === 'ipv4' ? 3 : 8);
  return { address: bytes.join('.'), network: prefix.join('.') };
}
