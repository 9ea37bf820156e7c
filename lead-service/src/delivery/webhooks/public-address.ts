import { lookup, type LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import ipaddr from 'ipaddr.js';

export type Resolve = (host: string) => Promise<LookupAddress[]>;

export const resolveHost: Resolve = (host) => promisify(lookup)(host, { all: true });

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an address is globally routable, and not private, loopback or link-local. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  // Converts an IPv4-mapped IPv6 address to IPv4.
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
}
