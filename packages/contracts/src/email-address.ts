/** The pattern of `zod` for local part and domain, and also top-level domains in punycode: `пример.рф`. */
export const emailPattern =
  /^(?:[\w'+-]+\.)*[\w'+-]*[\w+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+(?:[A-Za-z]{2,}|[Xx][Nn]--[A-Za-z0-9-]+)$/;

/**
 * Converts an international domain to ASCII (punycode), as Chromium does in fields of the type `email`. Other addresses,
 * and domains that no host can have, are returned as they are.
 */
export function withAsciiDomain(address: string): string {
  const [, start, domain] = /^([^@]*@)?([^\s@/?#\\:%]*[^\0-\x7f][^\s@/?#\\:%]*)$/.exec(address) ?? [];
  if (domain === undefined) return address;
  try {
    return `${start ?? ''}${new URL(`http://${domain}`).hostname}`;
  } catch {
    // Not a domain.
    return address;
  }
}
