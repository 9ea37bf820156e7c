import { createHash } from 'node:crypto';
import type { Pages } from './compose-pages.ts';

/** Placeholder of the release ID in pages before it is known. */
export const releaseIdPlaceholder = 'r-000000000000';

/**
 * SHA-256 of all pages, in hexadecimal. Equal pages have the same hash.
 *
 * @param pages with the {@link releaseIdPlaceholder}
 */
export function hashPages(pages: Pages): string {
  const hash = createHash('sha256');
  for (const [name, content] of [...pages].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * Replaces the placeholder by the release ID, or the other way round, so that stored pages can be hashed again. Hashed content of
 * the pages, such as inline scripts, must not contain them.
 */
export function replaceInPages(pages: Pages, from: string, to: string): Pages {
  const renamed = (content: string | Uint8Array) =>
    typeof content === 'string' ? content.replaceAll(from, to) : content;
  return new Map([...pages].map(([name, content]) => [name, renamed(content)]));
}
