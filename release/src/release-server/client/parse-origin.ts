import { isLoopbackHost } from '@countersign/contracts/loopback-host';

/** Parses an origin; `undefined` if it is invalid. An origin cannot have a path, and no host has a `*` in its name. */
export function parseOrigin(address: string): string | undefined {
  const { origin, href } = URL.parse(address) ?? {};
  return href === `${origin}/` && /^https?:\/\/[\w.:[\]-]+$/.test(origin ?? '') ? origin : undefined;
}

/** Parses an origin to which a token can be sent. */
export function parseSafeOrigin(address: string): string | undefined {
  const origin = parseOrigin(address);
  const { protocol, host } = new URL(origin ?? 'none:');
  return protocol === 'https:' || isLoopbackHost(host) ? origin : undefined;
}
