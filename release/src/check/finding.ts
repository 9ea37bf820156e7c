import type { PartName } from '@countersign/contracts/remotes';
import type { SiteConfig } from '@countersign/contracts/site-config';
import type { ReleaseContent } from '../flip/change.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import type { Pair } from './pairs.ts';

/** Something that speaks against a release. */
export interface Finding {
  /** What was looked at, such as `exposed-keys`. */
  readonly rule: string;
  readonly part: PartName;
  /** What is wrong, where, and what to do. */
  readonly sentence: string;
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
