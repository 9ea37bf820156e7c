import { partNames, type PartName } from '@countersign/contracts/remotes';
import { namedVersions } from './flip/named-versions.ts';
import type { ReleaseStore } from './store/release-store.ts';

/** Versions younger than this stay, whoever uses them: 30 days, in milliseconds. */
export const leastAge = 30 * 24 * 60 * 60_000;

export interface PrunedVersion {
  readonly part: PartName;
  readonly version: string;
  readonly publishedAt: string;
}

/**
 * Finds versions that nothing needs: not named by the live page, and at least 30 days old. With `remove` it removes
 * them. A replay of an old release that needs one shows the fallback in its place.
 */
export async function pruneStore(
  store: ReleaseStore,
  { now, remove }: { readonly now: Date; readonly remove: boolean },
): Promise<readonly PrunedVersion[]> {
  const live = await store.readLive();
  const needed = new Set(
    live && namedVersions(live.release).map(({ part, version }) => `${part}/${version}`),
  );
  const pruned: PrunedVersion[] = [];
  for (const part of partNames) {
    for (const version of await store.versionsOf(part)) {
      const record = await store.versionRecord(part, version);
      if (!record || needed.has(`${part}/${version}`)) continue;
      if (now.getTime() - Date.parse(record.publishedAt) < leastAge) continue;
      pruned.push({ part, version, publishedAt: record.publishedAt });
      if (remove) await store.removeVersion(part, version);
    }
  }
  return pruned;
}
