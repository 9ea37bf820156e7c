import { createHash } from 'node:crypto';
import type { Pages } from './compose-pages.ts';

/** Stands for the name in pages that have none yet. */
export const unnamedRelease = 'r-000000000000';

/**
 * SHA-256, in hexadecimal, of everything a visitor gets of a state of the page: the same state has the same hash.
 *
 * @param pages as composed for an {@link unnamedRelease}
 */
export function hashPages(pages: Pages): string {
  const hash = createHash('sha256');
  for (const [name, content] of [...pages].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** The name of a state of the page is made from its hash. */
export function nameRelease(releaseHash: string): string {
  return `r-${releaseHash.slice(0, 12)}`;
}

/** Puts the name into pages that were composed without one. Nothing in them that has a hash may hold it. */
export function withName(pages: Pages, releaseId: string): Pages {
  return rename(pages, unnamedRelease, releaseId);
}

/** Takes the name out again, so that stored pages can be hashed as they were when they got it. */
export function withoutName(pages: Pages, releaseId: string): Pages {
  return rename(pages, releaseId, unnamedRelease);
}

function rename(pages: Pages, from: string, to: string): Pages {
  const renamed = (content: string | Uint8Array) =>
    typeof content === 'string' ? content.replaceAll(from, to) : content;
  return new Map([...pages].map(([name, content]) => [name, renamed(content)]));
}
