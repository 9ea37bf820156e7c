import { referencedVersions } from '@countersign/contracts/release-versions';
import { partNames, type PartName } from '@countersign/contracts/remotes';
import { ReleaseError } from '../platform/release-error.ts';
import {
  decideRemoval,
  endRemoval,
  isPlanned,
  plannedRemovals,
  planRemoval,
  stopRemoval,
  type PlannedRemoval,
} from './planned-removal.ts';
import { pagePrefix, versionPrefix, type ReleaseStore } from './release-store.ts';

/** Minimum age of removed versions and releases: 30 days, in milliseconds. */
export const minAge = 30 * 24 * 60 * 60_000;
/**
 * Age after which an incomplete write counts as abandoned: an hour, in milliseconds. A writer that was only suspended fails
 * and must retry.
 */
export const maxWriteTime = 60 * 60_000;
/** Number of latest releases that are kept regardless of their age. */
export const retainedReleases = 20;

export interface PrunedVersion {
  readonly part: PartName;
  readonly version: string;
  readonly publishedAt: string;
}

/** Unreferenced objects of a store. */
export interface Pruned {
  readonly versions: readonly PrunedVersion[];
  /** Release IDs. */
  readonly releases: readonly string[];
  /** Keys of abandoned writes. */
  readonly leftovers: readonly string[];
}

/** Attempts of `prune` before it yields to concurrent releases. */
const maxAttempts = 3;

/**
 * Finds unreferenced versions and releases, and removes them if `remove` is set. Keeps the live release, the 19 before it,
 * and all that were created or live within 30 days. Keeps the versions that these releases refer to, and those published
 * within 30 days. A removed version can be published again with the same content only. Abandoned writes are removed after
 * an hour.
 *
 * Releases may run concurrently: `prune` writes a plan, then searches again, and a release that needs an item stops the
 * plan. Throws a {@link ReleaseError} if that happens repeatedly.
 */
export async function pruneStore(
  store: ReleaseStore,
  { now, remove }: { readonly now: Date; readonly remove: boolean },
): Promise<Pruned> {
  const before = new Date(now.getTime() - maxWriteTime);
  const abandoned = await abandonedRemovals(store, before);
  const leftovers = [...(await store.objects.leftovers(before)), ...abandoned.flatMap(({ keys }) => keys)];
  if (!remove) return { ...(await findUnreferenced(store, now)), leftovers };

  for (const removal of abandoned) await finishRemoval(store, removal);
  await store.objects.remove(leftovers);
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const removed = await removeUnreferenced(store, now);
    if (removed) return { ...removed, leftovers };
  }
  throw new ReleaseError(
    'Concurrent releases stopped each attempt to remove versions. Nothing that they need was removed. Run prune again later.',
  );
}

type Unreferenced = Omit<Pruned, 'leftovers'>;

async function removeUnreferenced(store: ReleaseStore, now: Date): Promise<Unreferenced | undefined> {
  const first = await findUnreferenced(store, now);
  if (itemsOf(first).length === 0) return first;
  const id = await planRemoval(store.objects, itemsOf(first), now);
  const again = new Set(itemsOf(await findUnreferenced(store, now)));
  const unreferenced = {
    versions: first.versions.filter(({ part, version }) => again.has(versionPrefix(part, version))),
    releases: first.releases.filter((releaseId) => again.has(pagePrefix(releaseId))),
  };
  const outcome = await decideRemoval(store.objects, id, itemsOf(unreferenced), now);
  if (outcome === 'removed') await removeItems(store, itemsOf(unreferenced), id);
  await endRemoval(store.objects, id);
  return outcome === 'removed' ? unreferenced : undefined;
}

function itemsOf({ versions, releases }: Unreferenced): readonly string[] {
  return [...releases.map(pagePrefix), ...versions.map(({ part, version }) => versionPrefix(part, version))];
}

/** Removes versions and pages. Stops if another `prune` has completed this removal because it took too long. */
async function removeItems(store: ReleaseStore, items: readonly string[], id: string): Promise<void> {
  for (const item of items) {
    if (!(await isPlanned(store.objects, id))) return;
    const [folder, name = '', version = ''] = item.split('/');
    if (folder === 'pages') await store.removeRelease(name);
    else await store.removeVersion(name, version);
  }
}

/** Removals whose `prune` was killed. */
async function abandonedRemovals(store: ReleaseStore, before: Date): Promise<readonly PlannedRemoval[]> {
  const removals = await plannedRemovals(store.objects);
  return removals.filter(({ at }) => at === undefined || new Date(at) < before);
}

/** Completes a decided removal. Cancels an undecided one. */
async function finishRemoval(store: ReleaseStore, { id }: PlannedRemoval): Promise<void> {
  await stopRemoval(store.objects, id);
  const decided = (await plannedRemovals(store.objects)).find((removal) => removal.id === id);
  await removeItems(store, decided?.removed ?? [], id);
  await endRemoval(store.objects, id);
}

async function findUnreferenced(store: ReleaseStore, now: Date): Promise<Unreferenced> {
  const isOld = (at: string) => now.getTime() - Date.parse(at) >= minAge;
  const needed = new Set<string>();
  const releases: string[] = [];
  const history = await store.history();
  const recent = [...history.slice(-retainedReleases), ...history.filter(({ at }) => !isOld(at))];
  const kept = new Set(recent.map(({ releaseId }) => releaseId));
  const keep = (release: Parameters<typeof referencedVersions>[0]) => {
    for (const { part, version } of referencedVersions(release)) needed.add(`${part}/${version}`);
  };
  for (const releaseId of await store.releaseIds()) {
    const record = await store.readRelease(releaseId);
    if (!record) continue;
    if (kept.has(releaseId) || !isOld(record.at)) keep(record.release);
    else releases.push(releaseId);
  }

  const found: PrunedVersion[] = [];
  for (const part of partNames) {
    for (const version of await store.versionsOf(part)) {
      const publishedAt = (await store.versionRecord(part, version))?.publishedAt;
      if (publishedAt === undefined || needed.has(`${part}/${version}`) || !isOld(publishedAt)) continue;
      found.push({ part, version, publishedAt });
    }
  }
  // Read last, because it can change while the rest is read.
  const live = await store.readLive();
  if (live) keep(live.release);
  return {
    versions: found.filter(({ part, version }) => !needed.has(`${part}/${version}`)),
    releases: releases.filter((releaseId) => releaseId !== live?.release.releaseId),
  };
}
