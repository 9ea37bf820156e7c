import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { referencedVersions, type ReferencedVersion } from '@countersign/contracts/release-versions';
import { partNames } from '@countersign/contracts/remotes';
import { pagePrefix, versionPrefix, type ReleaseStore } from '../store/release-store.ts';
import type { Author } from '../store/history.ts';
import { removeFromStore, type Removal } from './remove-version.ts';

/** Minimum age of removed versions and releases: 30 days, in milliseconds. */
export const minAge = 30 * 24 * 60 * 60_000;

/** Number of latest releases that are kept regardless of their age. */
export const retainedReleases = 20;

interface PruneOptions {
  readonly now: Date;
  /** Whether to remove what is found. */
  readonly remove: boolean;
  readonly author: Author;
}

/**
 * Finds versions and releases that are older than 30 days and that none of the last 20 releases names, and removes them if `remove`
 * is set, with an entry in the history. A removed version can be published again with the same content only.
 */
export async function pruneStore(
  store: ReleaseStore,
  { now, remove, author }: PruneOptions,
): Promise<Removal> {
  const isOld = (at: string) => now.getTime() - Date.parse(at) >= minAge;
  const needed = await neededPrefixes(store, isOld);
  const releases = (await store.releaseIds()).filter((id) => !needed.has(pagePrefix(id)));
  const versions: ReferencedVersion[] = [];
  for (const part of partNames) {
    for (const version of await store.versionsOf(part)) {
      const { publishedAt } = (await store.versionRecord(part, version)) ?? {};
      const isNeeded = needed.has(versionPrefix(part, version));
      if (!isNeeded && publishedAt !== undefined && isOld(publishedAt)) versions.push({ part, version });
    }
  }
  if (remove && versions.length + releases.length > 0) {
    const from = `${versions.length} versions and ${releases.length} releases`;
    await removeFromStore(store, { versions, releases }, { ...author, from });
  }
  return { versions, releases };
}

/** Prefixes of the releases that are kept, and of the versions in them. */
async function neededPrefixes(
  store: ReleaseStore,
  isOld: (at: string) => boolean,
): Promise<ReadonlySet<string>> {
  const history = await store.history();
  const last = [...new Set(history.map(({ releaseId }) => releaseId).reverse())].slice(0, retainedReleases);
  const young = history.filter(({ at }) => !isOld(at)).map(({ releaseId }) => releaseId);
  const kept = new Set([...last, ...young]);
  const needed = new Set<string>();
  for (const releaseId of await store.releaseIds()) {
    const found = await store.readRelease(releaseId);
    if (found && (kept.has(releaseId) || !isOld(found.at))) addPrefixes(needed, found.release);
  }
  // Read last, because it can change while the rest is read.
  return addPrefixes(needed, (await store.requireLive()).release);
}

function addPrefixes(prefixes: Set<string>, release: ReleaseDocument): Set<string> {
  prefixes.add(pagePrefix(release.releaseId));
  for (const { part, version } of referencedVersions(release)) prefixes.add(versionPrefix(part, version));
  return prefixes;
}
