import { periodLength, type VersionCounts } from '@countersign/contracts/page-report';
import type { PartName } from '@countersign/contracts/remotes';
import type { LiveState } from '../store/live-store.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { changedParts, type HistoryEntry } from '../store/stored-documents.ts';
import type { Comparison } from './assess-canary.ts';
import { readPageReports, type ReportsSource } from './read-page-reports.ts';

/** Entries of the history since the part's canary got its present percentage, newest first. Other parts may have been released since. */
export async function readStageEntries(
  store: ReleaseStore,
  liveState: LiveState,
  part: PartName,
): Promise<readonly HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  for await (const entry of store.liveStore.history(liveState)) {
    // Behind a lost entry, the canary may have had another percentage.
    if (entry.sequence !== liveState.historyEntry.sequence - entries.length) break;
    entries.push(entry);
    // The last change of the part has set the percentage.
    if (changedParts(entry).includes(part)) break;
  }
  return entries;
}

/** Reads the reports on the part since a stage began, of its releases only. Returns why if there are others only. */
export async function readStageReports(
  reports: ReportsSource,
  part: PartName,
  entries: readonly HistoryEntry[],
): Promise<readonly VersionCounts[] | string> {
  // Reports are counted in periods. The one in which the stage began may have begun a whole period before.
  // One more, because the clocks of the releaser and the lead service differ.
  const since = Date.parse(entries.at(-1)?.at ?? '') - 2 * periodLength;
  const releaseIds = new Set(entries.map(({ releaseId }) => releaseId));
  const found = await readPageReports(reports, part, since);
  const own = found.filter(({ releaseId }) => releaseIds.has(releaseId));
  if (own.length > 0 || found.length === 0) return own;
  return `the lead service counts views of ${part}, but none of this release. If that stays so, its LIVE_PAGE is not this page, or no page of this release is opened`;
}

/** Adds up the counts of a canary, and those of the stable version in the group of the other visitors. */
export function compareGroups(
  reports: readonly VersionCounts[],
  { canary, live: liveVersion }: { readonly canary: { readonly version: string }; readonly live: string },
): Comparison {
  const sumOf = (named: string, group: VersionCounts['group']) => {
    const own = reports.filter((counts) => counts.version === named && counts.group === group);
    const sum = (count: (counts: VersionCounts) => number) =>
      own.reduce((total, counts) => total + count(counts), 0);
    return {
      views: sum(({ views }) => views),
      failed: sum(({ failed }) => Object.values(failed).reduce((total, views) => total + views, 0)),
      slow: sum(({ slow }) => slow),
      leads: sum(({ leads }) => leads),
    };
  };
  return { canary: sumOf(canary.version, 'canary'), stable: sumOf(liveVersion, 'stable') };
}
