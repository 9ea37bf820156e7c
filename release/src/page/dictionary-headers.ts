import type { IncomingHttpHeaders } from 'node:http';
import type { HeaderValues } from './security-headers.ts';

/** Scripts and styles, which change little from one version to the next. */
const scriptOrStyles = /\.(?:js|css)$/;

/** A hash before the extension, as bundlers write it. */
const hashInName = /\.[0-9a-f]{8,}(?=\.(?:js|css)$)/;

/** The file name with a wildcard for the hash, which the same file of another version matches. */
export function namePattern(file: string): string | undefined {
  return scriptOrStyles.test(file) ? file.replace(hashInName, '.*') : undefined;
}

/**
 * Makes a script or style, or the entry bundle, a compression dictionary (RFC 9842) for the same file of later versions. Else
 * `undefined`.
 */
export function fileDictionaryHeaders(pathname: string): HeaderValues | undefined {
  const [, folder = '', file = ''] = /^(\/[^/]+\/[^/]+)?\/(.+)$/.exec(pathname) ?? [];
  const pattern = namePattern(file);
  if (pattern === undefined) return undefined;
  return { 'Use-As-Dictionary': `match="${folder.replace(/[^/]+$/, '*')}/${pattern}"` };
}

/**
 * Makes the live page the dictionary for itself and later ones, whatever the query. Chromium keeps a dictionary for as long as a cache
 * may use the page, fresh or stale. It may be stale for a month but is never fresh (no `max-age`, and `Expires` in the past), so Chromium
 * revalidates each view. Other browsers would show a stale page, so they get none of these headers.
 */
export function pageDictionaryHeaders({ 'sec-ch-ua': brands = '' }: IncomingHttpHeaders): HeaderValues {
  if (!/"Chromium"/.test(String(brands))) return {};
  return {
    'Cache-Control': 'private, stale-while-revalidate=2592000',
    Expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
    'Use-As-Dictionary': 'match="/", match-dest=("document"), id="page"',
  };
}

/** The dictionary that a client has for the requested file, by its name; `undefined` if it names none. */
export function availableDictionary(headers: IncomingHttpHeaders): string | undefined {
  return /^:([A-Za-z0-9+/]{43}=):$/.exec(String(headers['available-dictionary'] ?? ''))?.[1];
}
