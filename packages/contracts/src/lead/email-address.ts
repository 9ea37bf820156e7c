/**
 * The local part of the HTML standard, which browsers accept in fields of the type `email`, and domains that a host can
 * have: no label ends with a hyphen, and the top-level domain has letters only or is in punycode (`пример.рф`).
 */
export const emailPattern =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+(?:[A-Za-z]{2,}|[Xx][Nn]--[A-Za-z0-9-]*[A-Za-z0-9])$/;

/** Text without invisible characters: formatting and bidirectional controls, fillers, the blank of Braille. */
export function visible(typed: string): string {
  return typed.replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/gu, '').trim();
}

/**
 * The spelling in which an e-mail address is stored and compared: without the invisible characters and the `mailto:` that
 * are pasted with it, in NFKC, and with the domain in ASCII.
 */
export function normalizeEmail(typed: string): string {
  return withAsciiDomain(visible(typed.normalize('NFKC')).replace(/^mailto:/i, ''));
}

/** Of DNS. The conversion of a longer text would take quadratic time. */
const maxDomainLength = 253;

/**
 * Converts an international domain to ASCII (punycode), as Chromium does in fields of the type `email`. Other addresses,
 * and domains that no host can have, are returned as they are.
 */
function withAsciiDomain(address: string): string {
  const start = address.indexOf('@') + 1;
  const domain = address.slice(start);
  if (domain.length > maxDomainLength || !/[^\0-\x7f]/.test(domain)) return address;
  // A URL ends the host at these characters, or ignores them.
  if (/[\0-\x20\s@/?#\\:%]/.test(domain)) return address;
  try {
    return address.slice(0, start) + new URL(`http://${domain}`).hostname;
  } catch {
    // Not a domain.
    return address;
  }
}
