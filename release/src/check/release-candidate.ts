import type { BrowserLocation } from '@countersign/browser/find-browser';
import type { ReleaseContent } from '@countersign/contracts/release-document';
import type { SiteConfig } from '@countersign/contracts/site-config';
import type { ReleaseStore } from '../store/release-store.ts';
import type { HistoryEntry } from '../store/stored-documents.ts';

/** A release before its deploy. */
export interface ReleaseCandidate {
  readonly store: ReleaseStore;
  /** The content that would become live. */
  readonly next: ReleaseContent;
  /** The live release; `undefined` before the first one. */
  readonly liveRelease: ReleaseContent | undefined;
  /** The newest entry of the history. */
  readonly historyEntry?: HistoryEntry | undefined;
  readonly siteConfig: SiteConfig;
  /** The settings of the live page; `undefined` before the first release. */
  readonly liveSiteConfig?: SiteConfig | undefined;
  /** Location of the browser that opens the page. */
  readonly browserLocation: BrowserLocation;
}

/** Settings as JSON with sorted keys, because commands and stored documents order them differently. */
export const settingsText = (siteConfig: SiteConfig) =>
  JSON.stringify(siteConfig, Object.keys(siteConfig).sort());

/** Whether a candidate has other settings than the live page. */
export const hasNewSettings = ({
  siteConfig,
  liveSiteConfig,
}: Pick<ReleaseCandidate, 'siteConfig' | 'liveSiteConfig'>) =>
  liveSiteConfig !== undefined && settingsText(siteConfig) !== settingsText(liveSiteConfig);
