import type { BrowserLocation } from '@countersign/browser/find-browser';
import type { ReleaseContent } from '@countersign/contracts/release-document';
import type { PartName } from '@countersign/contracts/remotes';
import type { SiteConfig } from '@countersign/contracts/site-config';
import type { ReleaseStore } from '../store/release-store.ts';
import type { VersionPair } from './compatibility-matrix.ts';

/** A reason not to deploy a release. A mistake in several places is one violation. */
export interface Violation {
  /** Name of the rule, such as `exposed-keys`. */
  readonly rule: string;
  readonly part: PartName;
  /** What is wrong, where, and what to do. */
  readonly message: string;
}

/** A release before its deploy. */
export interface ReleaseCandidate {
  readonly store: ReleaseStore;
  /** The state that would become live. */
  readonly next: ReleaseContent;
  /** The current state; `undefined` before the first release. */
  readonly live: ReleaseContent | undefined;
  readonly site: SiteConfig;
  /** Where to look for the browser that opens the page. */
  readonly browser: BrowserLocation;
}

/**
 * Checks one aspect of a release. Returns its violations.
 *
 * @param pairs combinations of remote and shell that have not passed the check yet
 */
export type Rule = (
  candidate: ReleaseCandidate,
  pairs: readonly VersionPair[],
) => Promise<readonly Violation[]>;
