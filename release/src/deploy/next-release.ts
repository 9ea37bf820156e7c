import { releaseDocument } from '@countersign/contracts/release-document';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { composePages } from '../page/compose-pages.ts';
import { hashPages, releaseIdPlaceholder, replaceInPages } from '../page/release-id.ts';
import type { LiveState } from '../store/live-store.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { applyChange, type Change } from './change.ts';

/**
 * The release that a change leads to, with its pages and their hash. Writes nothing. Throws a {@link ReleaseError} if the change is not
 * possible.
 */
export async function nextRelease(
  store: ReleaseStore,
  liveState: Pick<LiveState, 'release'> | undefined,
  change: Change,
  siteConfig: SiteConfig,
) {
  const content = await applyChange(store, liveState?.release, change);
  // Parsing sorts the keys as the schema does, because the release ID is a hash of the serialised document.
  const unnamed = releaseDocument.parse({ ...content, releaseId: releaseIdPlaceholder });
  const pages = await composePages(store, unnamed, siteConfig);
  const releaseHash = hashPages(pages);
  const releaseId = `r-${releaseHash.slice(0, 12)}`;
  const named = replaceInPages(pages, releaseIdPlaceholder, releaseId);
  return { release: { ...unnamed, releaseId }, releaseHash, pages: named };
}
