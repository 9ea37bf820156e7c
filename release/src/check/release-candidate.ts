import type { BrowserLocation } from '@countersign/browser/find-browser';
import type { ReleaseContent } from '@countersign/contracts/release-document';
import type { SiteConfig } from '@countersign/contracts/site-config';
import type { ReleaseStore } from '../store/release-store.ts';

/** A release before its deploy. */
export interface ReleaseCandidate {
  readonly store: ReleaseStore;
  /** The state that would become live. */
  readonly next: ReleaseContent;
  /** The live release; `undefined` before the first one. */
  readonly liveRelease: ReleaseContent | undefined;
  readonly siteConfig: SiteConfig;
  /** Location of the browser that opens the page. */
  readonly browser: BrowserLocation;
}
