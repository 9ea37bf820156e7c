import type { BrowserLocation } from '@countersign/browser/find-browser';
import type { ReleaseContent } from '@countersign/contracts/release-document';
import type { ReferencedVersion } from '@countersign/contracts/release-versions';
import type { RemoteName } from '@countersign/contracts/remotes';
import type { SiteConfig } from '@countersign/contracts/site-config';
import type { ReleaseStore } from '../store/release-store.ts';

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
export type RemoteVersionName = ReferencedVersion & { readonly part: RemoteName };

/**
 * Checks one aspect of a release. Returns its violations: what is wrong, where, and what to do. A mistake in several places is one.
 *
 * @param remotes versions that visitors do not get yet or, with a new shell, all
 */
export type Rule = (
  candidate: ReleaseCandidate,
  remotes: readonly RemoteVersionName[],
) => Promise<readonly string[]>;
