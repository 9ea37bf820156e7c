import { createHash } from 'node:crypto';
import type { Pages } from './compose-pages.ts';

/** Stands for the name in pages that have none yet. */
export const unnamedRelease = 'r-000000000000';

/**
 * The name of a state of the page is made from everything a visitor gets: the same state has the same name.
 *
 * @param pages as composed for an {@link unnamedRelease}
 */
export function nameRelease(pages: Pages): string {
  const hash = createHash('sha256');
  for (const [name, content] of [...pages].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return `r-${hash.digest('hex').slice(0, 12)}`;
}

/** Puts the name into pages that were composed without one. Nothing in them that has a hash may hold it. */
export function withName(pages: Pages, releaseId: string): Pages {
  const named = (content: string | Uint8Array) =>
    typeof content === 'string' ? content.replaceAll(unnamedRelease, releaseId) : content;
  return new Map([...pages].map(([name, content]) => [name, named(content)]));
}
