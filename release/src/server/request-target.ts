/** The origin in a request line that names a whole address (RFC 9112, absolute-form). */
const origin = /^https?:\/\/(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d*)?(?=[/?]|$)/i;

/** Escaped separators and control characters, broken escapes, and characters that no path holds unescaped. */
const ambiguous = /%(?:2f|5c|[01][\da-f]|7f)|%(?![\da-f]{2})|[^!-~]|[\\#]/i;

const dotSegment = /\/\.{1,2}(?=\/|$)/;

/**
 * The path and query of a request in one normal form. The server decides on this form, and passes on nothing else.
 * Unreserved characters are unescaped (RFC 3986, section 6.2.2). Empty segments stay, because they are part of the path.
 *
 * @returns undefined for a path that two servers can read in two ways, such as one with dot segments
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
