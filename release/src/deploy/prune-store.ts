import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { referencedVersions, type ReferencedVersion } from '@countersign/contracts/release-versions';
import { partNames } from '@countersign/contracts/remotes';
import { NothingIsLive, pagePrefix, versionPrefix, type ReleaseStore } from '../store/release-store.ts';

/** Minimum age of removed versions and releases: 30 days, in milliseconds. */
export const minAge = 30 * 24 * 60 * 60_000;

/** Age after which an incomplete write counts as abandoned: an hour, in milliseconds. */
const maxWriteTime = 60 * 60_000;

/** Number of latest releases that are kept regardless of their age. */
export const retainedReleases = 20;

interface PruneOptions {
  readonly now: Date;
  /** Whether to remove what is found. */
  readonly remove: boolean;
}

/** Objects of a store that are old, and that none of the last releases names. */
interface Pruned {
  readonly versions: readonly ReferencedVersion[];
  /** Release IDs. */
  readonly releases: readonly string[];
  /** Keys of abandoned writes. */
  readonly leftovers: readonly string[];
}

/**
 * Finds versions and releases that are older than 30 days and that none of the last 20 releases names, and removes them if `remove`
 * is set. A removed version can be published again with the same content only.
 *
 * Changes may run meanwhile. Their files lose the record first, and then the live state is read again: what it names by now gets its
 * record back. A change that becomes live later finds no record, and is undone.
 */
export async function pruneStore(store: ReleaseStore, { now, remove }: PruneOptions): Promise<Pruned> {
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
  const leftovers = await store.objects.leftovers(new Date(now.getTime() - maxWriteTime));
  if (remove) {
    for (const { part, version } of versions) await removeUnlessLive(store, part, version);
    for (const id of releases) await removeReleaseUnlessLive(store, id);
    await store.objects.remove(leftovers);
  }
  return { versions, releases, leftovers };
}

/** Prefixes of the releases that are kept, and of the versions in them. */
async function neededPrefixes(
  store: ReleaseStore,
  isOld: (at: string) => boolean,
): Promise<ReadonlySet<string>> {
  const history = await store.history();
  const recent = [...history.slice(-retainedReleases), ...history.filter(({ at }) => !isOld(at))];
  const kept = new Set(recent.map(({ releaseId }) => releaseId));
  const needed = new Set<string>();
  for (const releaseId of await store.releaseIds()) {
    const found = await store.readRelease(releaseId);
    if (found && (kept.has(releaseId) || !isOld(found.at))) addPrefixes(needed, found.release);
  }
  // Read last, because it can change while the rest is read.
  const live = await store.readLive();
  if (!live) throw new NothingIsLive();
  return addPrefixes(needed, live.release);
}

function addPrefixes(prefixes: Set<string>, release: ReleaseDocument): Set<string> {
  prefixes.add(pagePrefix(release.releaseId));
  for (const { part, version } of referencedVersions(release)) prefixes.add(versionPrefix(part, version));
  return prefixes;
}

async function isLive(store: ReleaseStore, prefix: string): Promise<boolean> {
  const live = await store.readLive();
  return !live || addPrefixes(new Set(), live.release).has(prefix);
}

async function removeUnlessLive(store: ReleaseStore, part: string, version: string): Promise<void> {
  const record = await store.versionRecord(part, version);
  await store.removeRecord(part, version);
  const isNeeded = await isLive(store, versionPrefix(part, version));
  if (!isNeeded) await store.removeVersion(part, version);
  else if (record) await store.addRecord(part, version, record);
}

async function removeReleaseUnlessLive(store: ReleaseStore, releaseId: string): Promise<void> {
  const found = await store.readRelease(releaseId);
  await store.removeReleaseRecord(releaseId);
  if (!(await isLive(store, pagePrefix(releaseId)))) await store.removeRelease(releaseId);
  else if (found) await store.addRelease(found.release, new Map());
}
