import { partNames, type PartName } from '@countersign/contracts/remotes';
import { namedVersions } from './flip/named-versions.ts';
import type { ReleaseStore } from './store/release-store.ts';

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

/**
 * Finds what nothing needs any more, and with `remove` removes it. Of the states of the page stay the live one, the 19
 * before it, and all that were made or live within 30 days; their pages can be replayed, and all of them are whole. Of
 * the versions stay those that such a state names, and those published within 30 days. A version once removed can be
 * published again with the same content only. What is half written goes after an hour.
 */
export async function pruneStore(
  store: ReleaseStore,
  { now, remove }: { readonly now: Date; readonly remove: boolean },
): Promise<Pruned> {
  const isOld = (at: string) => now.getTime() - Date.parse(at) >= leastAge;
  const needed = new Set<string>();
  const releases: string[] = [];
  const history = await store.history();
  const recent = [...history.slice(-statesKept), ...history.filter(({ at }) => !isOld(at))];
  const kept = new Set(recent.map(({ releaseId }) => releaseId));
  const live = await store.readLive();
  const keep = (release: Parameters<typeof namedVersions>[0]) => {
    for (const { part, version } of namedVersions(release)) needed.add(`${part}/${version}`);
  };
  if (live) keep(live.release);
  for (const releaseId of await store.releaseIds()) {
    const record = await store.readRelease(releaseId);
    if (!record) continue;
    if (kept.has(releaseId) || !isOld(record.at)) keep(record.release);
    else releases.push(releaseId);
  }

  const versions: PrunedVersion[] = [];
  for (const part of partNames) {
    for (const version of await store.versionsOf(part)) {
      const publishedAt = (await store.versionRecord(part, version))?.publishedAt;
      if (publishedAt === undefined || needed.has(`${part}/${version}`) || !isOld(publishedAt)) continue;
      versions.push({ part, version, publishedAt });
    }
  }
  const leftovers = await store.objects.leftovers(new Date(now.getTime() - longestWrite));
  if (remove) {
    for (const releaseId of releases) await store.removeRelease(releaseId);
    for (const { part, version } of versions) await store.removeVersion(part, version);
    await store.objects.remove(leftovers);
  }
  return { versions, releases, leftovers };
}
