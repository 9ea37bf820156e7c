import { partNames, type PartName } from '@countersign/contracts/remotes';
import { namedVersions } from './flip/named-versions.ts';
import { ReleaseFault } from './release-fault.ts';
import {
  decideRemoval,
  endRemoval,
  isPlanned,
  plannedRemovals,
  planRemoval,
  stopRemoval,
  type PlannedRemoval,
} from './store/planned-removal.ts';
import { pagePrefix, versionPrefix, type ReleaseStore } from './store/release-store.ts';

/** What is younger than this stays, whoever uses it: 30 days, in milliseconds. */
export const leastAge = 30 * 24 * 60 * 60_000;
/**
 * What has been half written for longer was left by somebody who was killed: an hour, in milliseconds. Whoever has only
 * slept fails, and releases again.
 */
export const longestWrite = 60 * 60_000;
/** So many of the latest states of the page stay, however old they are. */
export const statesKept = 20;

export interface PrunedVersion {
  readonly part: PartName;
  readonly version: string;
  readonly publishedAt: string;
}

/** What nothing needs any more. */
export interface Pruned {
  readonly versions: readonly PrunedVersion[];
  /** Names of states of the page. */
  readonly releases: readonly string[];
  /** Keys of what releasers that were killed have left half written. */
  readonly leftovers: readonly string[];
}

/** How often prune looks again because a release needed what it was about to remove. */
const attempts = 3;

/**
 * Finds what nothing needs any more, and with `remove` removes it. Of the states of the page stay the live one, the 19
 * before it, and all that were made or live within 30 days; their pages can be replayed, and all of them are whole. Of
 * the versions stay those that such a state names, and those published within 30 days. A version once removed can be
 * published again with the same content only. What is half written goes after an hour.
 *
 * Others may release meanwhile: a plan of the removal is written first, then it is looked again what nothing needs, and
 * a releaser who needs something of the plan stops it. Throws a {@link ReleaseFault} when that happens again and again.
 */
export async function pruneStore(
  store: ReleaseStore,
  { now, remove }: { readonly now: Date; readonly remove: boolean },
): Promise<Pruned> {
  const before = new Date(now.getTime() - longestWrite);
  const broken = await brokenRemovals(store, before);
  const leftovers = [...(await store.objects.leftovers(before)), ...broken.flatMap(({ keys }) => keys)];
  if (!remove) return { ...(await findUnneeded(store, now)), leftovers };

  for (const removal of broken) await finishRemoval(store, removal);
  await store.objects.remove(leftovers);
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const removed = await removeUnneeded(store, now);
    if (removed) return { ...removed, leftovers };
  }
  throw new ReleaseFault(
    'Releases needed what prune was about to remove each time. Nothing that they need was removed. Run it again later.',
  );
}

type Unneeded = Omit<Pruned, 'leftovers'>;

async function removeUnneeded(store: ReleaseStore, now: Date): Promise<Unneeded | undefined> {
  const first = await findUnneeded(store, now);
  if (itemsOf(first).length === 0) return first;
  const id = await planRemoval(store.objects, itemsOf(first), now);
  const again = new Set(itemsOf(await findUnneeded(store, now)));
  const unneeded = {
    versions: first.versions.filter(({ part, version }) => again.has(versionPrefix(part, version))),
    releases: first.releases.filter((releaseId) => again.has(pagePrefix(releaseId))),
  };
  const outcome = await decideRemoval(store.objects, id, itemsOf(unneeded), now);
  if (outcome === 'removed') await removeItems(store, itemsOf(unneeded), id);
  await endRemoval(store.objects, id);
  return outcome === 'removed' ? unneeded : undefined;
}

function itemsOf({ versions, releases }: Unneeded): readonly string[] {
  return [...releases.map(pagePrefix), ...versions.map(({ part, version }) => versionPrefix(part, version))];
}

/** Removes versions and pages, and stops where a removal that took too long was finished by another prune. */
async function removeItems(store: ReleaseStore, items: readonly string[], id: string): Promise<void> {
  for (const item of items) {
    if (!(await isPlanned(store.objects, id))) return;
    const [folder, name = '', version = ''] = item.split('/');
    if (folder === 'pages') await store.removeRelease(name);
    else await store.removeVersion(name, version);
  }
}

/** Removals whose prune was killed. */
async function brokenRemovals(store: ReleaseStore, before: Date): Promise<readonly PlannedRemoval[]> {
  const removals = await plannedRemovals(store.objects);
  return removals.filter(({ at }) => at === undefined || new Date(at) < before);
}

/** Removes what was decided to be removed. Where nothing was decided, nothing is removed. */
async function finishRemoval(store: ReleaseStore, { id }: PlannedRemoval): Promise<void> {
  await stopRemoval(store.objects, id);
  const decided = (await plannedRemovals(store.objects)).find((removal) => removal.id === id);
  await removeItems(store, decided?.removed ?? [], id);
  await endRemoval(store.objects, id);
}

async function findUnneeded(store: ReleaseStore, now: Date): Promise<Unneeded> {
  const isOld = (at: string) => now.getTime() - Date.parse(at) >= leastAge;
  const needed = new Set<string>();
  const releases: string[] = [];
  const history = await store.history();
  const recent = [...history.slice(-statesKept), ...history.filter(({ at }) => !isOld(at))];
  const kept = new Set(recent.map(({ releaseId }) => releaseId));
  const keep = (release: Parameters<typeof namedVersions>[0]) => {
    for (const { part, version } of namedVersions(release)) needed.add(`${part}/${version}`);
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
  // Last, because it changes while all the rest is read.
  const live = await store.readLive();
  if (live) keep(live.release);
  return {
    versions: found.filter(({ part, version }) => !needed.has(`${part}/${version}`)),
    releases: releases.filter((releaseId) => releaseId !== live?.release.releaseId),
  };
}
