import type { PartName } from '@countersign/contracts/remotes';
import type { SiteConfig } from '@countersign/contracts/site-config';
import type { ReleaseContent } from '../flip/change.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import type { Pair } from './pairs.ts';

/** Something that speaks against a release. One fault is one finding, in however many places it occurs. */
export interface Finding {
  /** What was looked at, such as `exposed-keys`. */
  readonly rule: string;
  readonly part: PartName;
  /** What is wrong, where, and what to do. */
  readonly sentence: string;
}

/** How many of the places where one fault occurs are named. */
const namedPlaces = 3;

/** The places where one fault occurs, for a sentence: the first few of them, and how many more there are. */
export function namePlaces(places: readonly string[]): string {
  const named = places.slice(0, namedPlaces);
  const more = places.length - named.length;
  if (more > 0) return `${named.join(', ')} and ${more} more`;
  return new Intl.ListFormat('en', { style: 'long', type: 'conjunction' }).format(named);
}

/** What a release would change about the page. */
export interface Candidate {
  readonly store: ReleaseStore;
  /** The state that would become live. */
  readonly next: ReleaseContent;
  /** The state that is live now; none before the first release. */
  readonly live: ReleaseContent | undefined;
  readonly site: SiteConfig;
}

/**
 * Looks at one thing. Finds nothing when all is well.
 *
 * @param pairs remotes and shells that were never seen together
 */
export type Rule = (candidate: Candidate, pairs: readonly Pair[]) => Promise<readonly Finding[]>;
