import { createHash } from 'node:crypto';
import type { Pages } from './compose-pages.ts';

/** The name of a state of the page is made from everything a visitor gets: the same state has the same name. */
export function nameRelease(pages: Pages): string {
  const hash = createHash('sha256');
  for (const [name, content] of [...pages].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return `r-${hash.digest('hex').slice(0, 12)}`;
}
