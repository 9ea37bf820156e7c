import { lookup, type LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import ipaddr from 'ipaddr.js';

/** Finds all addresses of a host. */
export type Resolve = (host: string) => Promise<LookupAddress[]>;

export const resolveHost: Resolve = (host) => promisify(lookup)(host, { all: true });

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an address belongs to the internet, and to no machine or network of ours. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  // One of IPv4 that is written as one of IPv6 is what it is.
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
}
