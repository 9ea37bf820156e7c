import type { BrowserLocation } from '@countersign/browser/find-browser';
import type { ReleaseContent } from '@countersign/contracts/release-document';
import type { PartName, RemoteName } from '@countersign/contracts/remotes';
import type { SiteConfig } from '@countersign/contracts/site-config';
import type { ReleaseStore } from '../store/release-store.ts';

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

/** A version of a remote. */
export interface RemoteVersionName {
  readonly part: RemoteName;
  readonly version: string;
}

/**
 * Checks one aspect of a release. Returns its violations.
 *
 * @param remotes versions that visitors do not get yet or, with a new shell, all
 */
export type Rule = (
  candidate: ReleaseCandidate,
  remotes: readonly RemoteVersionName[],
) => Promise<readonly Violation[]>;
