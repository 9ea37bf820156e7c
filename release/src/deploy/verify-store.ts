import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { PartName } from '@countersign/contracts/remotes';
import { ReleaseError } from '../platform/release-error.ts';
import { firstBrokenEntry } from '../store/audit-entry.ts';
import { plannedRemovals } from '../store/planned-removal.ts';
import { pagePrefix, versionPrefix, type ReleaseStore } from '../store/release-store.ts';
import { dictionariesOf } from './verify-deltas.ts';
import { verifyLive } from './verify-live.ts';
import { verifyPages } from './verify-pages.ts';
import { usedVersions, verifyVersion } from './verify-versions.ts';

interface Verification {
  /** Number of verified files of versions, without compressed copies. */
  readonly files: number;
  /** Number of releases whose pages were verified. */
  readonly releases: number;
  /** Number of releases that were compared by the first 12 digits of their hash, because the log lacks the full hash. */
  readonly shortHashes: number;
  readonly entries: number;
  /** Error messages. Empty if the store is intact. */
  readonly errors: readonly string[];
}

/**
 * Verifies the pages of every stored release, every file of the versions in releases that were live, the compressed copies and deltas, the
 * files served at the root of the site, the hash chain of the log, that the live state has its newest entry, and that withdrawn
 * versions are removed. Ignores what a concurrent `prune` is removing.
 */
export async function verifyStore(
  store: ReleaseStore,
  progress: (part: PartName, version: string) => void,
): Promise<Verification> {
  const errors: string[] = [];
  /** Records why a document cannot be read, and goes on without it. */
  const attempt = async <Found>(reading: Promise<Found>): Promise<Found | undefined> => {
    try {
      return await reading;
    } catch (error) {
      if (!(error instanceof ReleaseError)) throw error;
      if (!errors.includes(error.message)) errors.push(error.message);
      return undefined;
    }
  };

  const live = await attempt(store.readLive());
  // Fails if the live state was set back.
  await attempt(store.readLiveForChange());
  const history = await attempt(store.history());
  const entries = history ?? (live ? [live.entry] : []);
  const pages = await pageKeys(store, errors);
  const releases = new Map<string, ReleaseDocument>();
  if (live) releases.set(live.release.releaseId, live.release);
  for (const releaseId of await store.releaseIds()) {
    const record = await attempt(store.readRelease(releaseId));
    if (record) releases.set(releaseId, record.release);
  }
  const isLive = (releaseId: string) => releaseId === live?.release.releaseId;
  const wasLive = (releaseId: string) =>
    isLive(releaseId) || entries.some((entry) => entry.releaseId === releaseId);
  const beingRemoved = await prefixesBeingRemoved(store);

  const dictionaries = dictionariesOf(store.objects);
  let files = 0;
  // A release that never became live may name a version that is missing, which may be why it did not.
  const used = usedVersions([...releases.values()].filter(({ releaseId }) => wasLive(releaseId)));
  const withdrawn = live?.withdrawn.map(({ part, version }) => versionPrefix(part, version)) ?? [];
  for (const version of used) {
    const prefix = versionPrefix(version.part, version.version);
    const isInUse = version.releases.some(({ releaseId }) => isLive(releaseId));
    if (beingRemoved.has(prefix) && !isInUse) continue;
    // `verifyLive` reports files of withdrawn versions that are left.
    if (withdrawn.includes(prefix)) continue;
    progress(version.part, version.version);
    const outcome = await attempt(
      verifyVersion(store, version, live?.release.releaseId, dictionaries(version.part)),
    );
    files += outcome?.files ?? 0;
    errors.push(...(outcome?.errors ?? []));
  }

  const hashes = new Map(entries.map(({ releaseId, releaseHash }) => [releaseId, releaseHash]));
  const storedIds = [...new Set([...releases.keys(), ...pages.keys()])].filter(
    (releaseId) => isLive(releaseId) || !beingRemoved.has(pagePrefix(releaseId)),
  );
  for (const releaseId of storedIds) {
    const expected = {
      release: releases.get(releaseId),
      site: isLive(releaseId) ? live?.site : undefined,
      releaseHash: hashes.get(releaseId),
      // A release without a document was removed after its pages were listed.
      mustHavePages: wasLive(releaseId) && releases.has(releaseId),
    };
    errors.push(
      ...(await verifyPages(store, releaseId, pages.get(releaseId) ?? [], expected, dictionaries('pages'))),
    );
  }
  if (live) errors.push(...(await verifyLive(store, live, releases, entries)));
  const broken = history && firstBrokenEntry(history);
  if (broken !== undefined) errors.push(`The hash chain of the log is broken from entry ${broken} on.`);
  const shortHashes = storedIds.filter((releaseId) => !hashes.has(releaseId)).length;
  return { files, releases: storedIds.length, shortHashes, entries: entries.length, errors };
}

/** Prefixes of the versions and pages that a `prune` is removing now. */
async function prefixesBeingRemoved(store: ReleaseStore): Promise<ReadonlySet<string>> {
  return new Set((await plannedRemovals(store.objects)).flatMap(({ removed }) => removed));
}

/** Release ID → keys of its pages. Adds an error for each key that belongs to no release. */
async function pageKeys(
  store: ReleaseStore,
  errors: string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const pages = new Map<string, string[]>();
  for (const key of await store.objects.list('pages/')) {
    const [, releaseId] = /^pages\/(r-[0-9a-f]{12})\/./.exec(key) ?? [];
    if (releaseId === undefined) errors.push(`${key} belongs to no release. Remove it.`);
    else pages.set(releaseId, [...(pages.get(releaseId) ?? []), key]);
  }
  return pages;
}
