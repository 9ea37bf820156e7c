import { partVersionName } from '@countersign/contracts/part-manifest';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
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
import { missingLiveState, pagePrefix, versionPrefix, type ReleaseStore } from './release-store.ts';

/** Minimum age of removed versions and releases: 30 days, in milliseconds. */
export const minAge = 30 * 24 * 60 * 60_000;
/**
 * Age after which an incomplete write counts as abandoned: an hour, in milliseconds. A writer that was only suspended fails
 * and must retry.
 */
export const maxWriteTime = 60 * 60_000;
/** Number of latest releases that are kept regardless of their age. */
export const retainedReleases = 20;

interface PrunedVersion {
  readonly part: PartName;
  readonly version: string;
  /** `undefined` if its record was removed already by an interrupted `prune`. */
  readonly publishedAt: string | undefined;
}

/** Unreferenced objects of a store. */
interface Pruned {
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
  { now, remove, clockIsRight = false }: PruneOptions,
): Promise<Pruned> {
  if (remove && !clockIsRight) await assertClock(store, now);
  const before = new Date(now.getTime() - maxWriteTime);
  const abandoned = await abandonedRemovals(store, before);
  const leftovers = [...(await store.objects.leftovers(before)), ...abandoned.flatMap(({ keys }) => keys)];
  const survey = await surveyStore(store, now);
  const { versions, releases } = survey;
  if (!remove) return { ...together(unneeded(abandoned, survey), { versions, releases }), leftovers };

  const finished: Unreferenced[] = [];
  for (const removal of abandoned) finished.push(await finishRemoval(store, removal, survey));
  await store.objects.remove(leftovers);
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const removed = await removeUnreferenced(store, now);
    if (removed) return { ...finished.reduce((last, next) => together(next, last), removed), leftovers };
  }
  throw new ReleaseError(
    'Concurrent releases stopped each attempt to remove versions. Nothing that they need was removed. Run prune again later.',
  );
}

interface PruneOptions {
  readonly now: Date;
  readonly remove: boolean;
  /** Remove although the clocks differ, or although nothing has changed for a week. */
  readonly clockIsRight?: boolean | undefined;
}

/** Difference between two clocks at which `prune` stops: an hour, in milliseconds. */
const maxClockDifference = 60 * 60_000;
/** Time without a change after which `prune` asks for a confirmation of the clock: a week, in milliseconds. */
const maxQuietTime = 7 * 24 * 60 * 60_000;

/** Throws a {@link ReleaseError} if the clock may be ahead, because that would make all versions old. */
async function assertClock(store: ReleaseStore, now: Date): Promise<void> {
  const clock = await store.objects.clock();
  const ours = now.toISOString();
  if (!(Math.abs(now.getTime() - clock.getTime()) < maxClockDifference)) {
    const theirs = Number.isNaN(clock.getTime()) ? 'unknown' : clock.toISOString();
    throw new ReleaseError(
      `It is ${ours} by the clock of this machine, but ${theirs} by that of the store. Nothing was removed. Correct the clock, or run "prune --clock-is-right".`,
    );
  }
  const newest = (await store.readLiveForChange())?.entry.at;
  if (newest === undefined || now.getTime() - Date.parse(newest) < maxQuietTime) return;
  throw new ReleaseError(
    `It is ${ours} by the clock of this machine, and the newest change of the store was on ${newest}. Nothing was removed. Correct the clock if it is wrong, or run "prune --clock-is-right".`,
  );
}

/** The items of interrupted removals that nothing needs. A decision may be damaged or forged, so it is not trusted. */
function unneeded(removals: readonly PlannedRemoval[], { needed, versions }: Survey): Unreferenced {
  const items = removals.flatMap(({ removed }) => removed).filter((item) => !needed.has(item));
  return {
    versions: items.flatMap((item) => {
      const [, name, version = ''] = /^parts\/([^/]+)\/([^/]+)\/$/.exec(item) ?? [];
      const part = partNames.find((known) => known === name);
      const isVersion = part && partVersionName.safeParse(version).success;
      if (!isVersion) return [];
      const found = versions.find((known) => known.part === part && known.version === version);
      return [found ?? { part, version, publishedAt: undefined }];
    }),
    releases: items.flatMap((item) => /^pages\/(r-[0-9a-f]{12})\/$/.exec(item)?.[1] ?? []),
  };
}

/** Both, without duplicates. */
function together(other: Unreferenced, found: Unreferenced): Unreferenced {
  const known = new Set(itemsOf(found));
  return {
    versions: [
      ...found.versions,
      ...other.versions.filter(({ part, version }) => !known.has(versionPrefix(part, version))),
    ],
    releases: [...new Set([...found.releases, ...other.releases])],
  };
}

type Unreferenced = Omit<Pruned, 'leftovers'>;

interface Survey extends Unreferenced {
  /** Prefixes of the items that must be kept. */
  readonly needed: ReadonlySet<string>;
}

async function removeUnreferenced(store: ReleaseStore, now: Date): Promise<Unreferenced | undefined> {
  const first = await surveyStore(store, now);
  if (itemsOf(first).length === 0) return { versions: [], releases: [] };
  const id = await planRemoval(store.objects, itemsOf(first), now);
  const again = new Set(itemsOf(await surveyStore(store, now)));
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

/** Completes a decided removal, except of needed items. Cancels an undecided one. Returns what it has removed. */
async function finishRemoval(
  store: ReleaseStore,
  { id }: PlannedRemoval,
  survey: Survey,
): Promise<Unreferenced> {
  await stopRemoval(store.objects, id);
  const decided = (await plannedRemovals(store.objects)).filter((removal) => removal.id === id);
  const removed = unneeded(decided, survey);
  await removeItems(store, itemsOf(removed), id);
  await endRemoval(store.objects, id);
  return removed;
}

/**
 * Finds unreferenced items, and those that must be kept. Throws a {@link ReleaseError} if the live state is unknown, because
 * nothing would be referenced then.
 */
async function surveyStore(store: ReleaseStore, now: Date): Promise<Survey> {
  const known = await store.readLiveForChange();
  const isOld = (at: string) => now.getTime() - Date.parse(at) >= minAge;
  const needed = new Set<string>();
  const releases: string[] = [];
  const log = await store.loggedEntries();
  const recent = [...log.slice(-retainedReleases), ...log.filter(({ at }) => !isOld(at))];
  const kept = new Set(recent.map(({ releaseId }) => releaseId));
  const keep = (release: ReleaseDocument) => {
    needed.add(pagePrefix(release.releaseId));
    for (const { part, version } of referencedVersions(release)) needed.add(versionPrefix(part, version));
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
      if (publishedAt === undefined) continue;
      if (isOld(publishedAt)) found.push({ part, version, publishedAt });
      else needed.add(versionPrefix(part, version));
    }
  }
  // Read last, because it can change while the rest is read.
  const live = await store.readLive();
  if (live) keep(live.release);
  else if (known || found.length + releases.length + log.length > 0 || needed.size > 0)
    throw missingLiveState();
  return {
    versions: found.filter(({ part, version }) => !needed.has(versionPrefix(part, version))),
    releases: releases.filter((releaseId) => !needed.has(pagePrefix(releaseId))),
    needed,
  };
}
