/** The origin in a request target in absolute-form (RFC 9112). */
const origin = /^https?:\/\/(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d*)?(?=[/?]|$)/i;

/** Percent-encoded separators and control characters, invalid percent-encoding, and characters that must be encoded. */
const ambiguous = /%(?:2f|5c|[01][\da-f]|7f)|%(?![\da-f]{2})|[^!-~]|[\\#]/i;

const dotSegment = /\/\.{1,2}(?=\/|$)/;

/**
 * Normalises the path and query of a request. The server uses and forwards the normalised form only. Decodes unreserved
 * characters (RFC 3986, section 6.2.2). Keeps empty segments, because they are significant.
 *
 * @returns undefined for an ambiguous path, which two servers can interpret differently, such as one with dot segments
 */
export function normalizeRequestTarget(target: string): string | undefined {
  const local = target.replace(origin, '');
  const [, written = '', query = ''] = /^([^?]*)(.*)$/s.exec(local) ?? [];
  const path = written === '' && local !== target ? '/' : written;
  if (!path.startsWith('/') || ambiguous.test(path) || query.includes('#')) return undefined;
  const normal = path.replace(/%[\da-f]{2}/gi, unescapeUnreserved);
  return dotSegment.test(normal) ? undefined : normal + query;
}

function unescapeUnreserved(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
}
