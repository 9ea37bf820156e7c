import type { BrowserLocation } from '@countersign/browser/find-browser';
import type { ReleaseContent } from '@countersign/contracts/release-document';
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
  /** Location of the browser that opens the page. */
  readonly browser: BrowserLocation;
}
