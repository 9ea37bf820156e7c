import { type ReleaseContent, releaseDocument } from '@countersign/contracts/release-document';
import { stateOf } from '@countersign/contracts/release-versions';
import type { PartName } from '@countersign/contracts/remotes';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { composePages } from '../page/compose-pages.ts';
import { hashPages, releaseIdPlaceholder, replaceInPages } from '../page/release-id.ts';
import type { RecordedChange } from '../store/stored-documents.ts';
import type { LiveState } from '../store/live-store.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { applyChange, nameCanary, partsOf, type Change } from './change.ts';

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

/** The fields of a history entry that describe a change. */
export function describeChange(
  change: Change,
  before: ReleaseContent | undefined,
  after: ReleaseContent,
): Pick<RecordedChange, 'action' | 'parts' | 'from' | 'to'> {
  const { kind: action } = change;
  const changed = partsOf(change).filter((part) => versionsOf(part, before) !== versionsOf(part, after));
  const parts = changed.length > 0 ? changed : partsOf(change);
  return { action, parts, from: describeVersions(parts, before), to: describeVersions(parts, after) };
}

/** The versions of a part, or of several with their names. `undefined` if none is live. */
function describeVersions(
  parts: readonly PartName[],
  content: ReleaseContent | undefined,
): string | undefined {
  const [first, ...others] = parts;
  if (first && others.length === 0) return versionsOf(first, content);
  const named = parts.flatMap((part) => {
    const versions = versionsOf(part, content);
    return versions === undefined ? [] : [`${part} ${versions}`];
  });
  return named.length > 0 ? named.join(', ') : undefined;
}

/** `1.0.0`, or `1.0.0, 1.1.0 for 10 %` while a canary runs. */
function versionsOf(part: PartName, content: ReleaseContent | undefined): string | undefined {
  const versions = content && stateOf(part, content);
  const canary = versions?.canary;
  return canary ? `${versions.live}, ${nameCanary(canary)}` : versions?.live;
}
