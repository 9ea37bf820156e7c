import { partNames, type PartName } from '@countersign/contracts/remotes';
import { ownersOf, type OwnerNames } from '../access/owners.ts';
import type { AuditEntry } from '../store/audit-entry.ts';
import type { LiveState, ReleaseStore } from '../store/release-store.ts';
import { shownChanges, type BoardPart, type BoardState, type BoardVersion } from './board-state.ts';
import type { Measurements } from './measurements.ts';
import { readBlocks } from './page-blocks.ts';
import { readReleasedPictures } from './released-pictures.ts';

/** Maximum number of changes in charts. */
const maxChanges = 200;
/** Maximum number of withdrawn versions of each part that the board shows. */
const maxWithdrawn = 4;

/** Reads what the board shows of a live state. Reads a bounded number of objects, however long the log is. */
export async function readBoardState(
  store: ReleaseStore,
  live: LiveState,
  owners: OwnerNames,
  measurements: Measurements | undefined,
  now: Date,
): Promise<BoardState> {
  const [history, blocks] = await Promise.all([
    readHistory(store, live, measurements?.days[0]),
    readBlocks(store, live.release),
  ]);
  const parts = partNames.map((part) => readPart(store, live, part, ownersOf(owners, part), history));
  return {
    writtenAt: now.toISOString(),
    siteOrigin: live.site.siteOrigin,
    releaseId: live.release.releaseId,
    parts: await Promise.all(parts),
    blocks,
    history,
    pictures: await readReleasedPictures(store, history.slice(0, shownChanges)),
    changes: live.entry.sequence,
    measurements,
  };
}

/** The changes that the list shows, or more if the charts need them. Their days begin at `firstDay`. */
async function readHistory(
  store: ReleaseStore,
  live: LiveState,
  firstDay: string | undefined,
): Promise<readonly AuditEntry[]> {
  const latest = await store.recentHistory(live, shownChanges);
  const mayNeedMore = firstDay !== undefined && (latest.at(-1)?.at ?? '') >= firstDay;
  return mayNeedMore && live.entry.sequence > shownChanges ? store.recentHistory(live, maxChanges) : latest;
}

async function readPart(
  store: ReleaseStore,
  { release, withdrawn }: LiveState,
  part: PartName,
  owners: readonly string[],
  history: readonly AuditEntry[],
): Promise<BoardPart> {
  const remote = part === 'shell' ? undefined : release.remotes[part];
  const withdrawnOfPart = withdrawn.filter((version) => version.part === part);
  const before = part === 'shell' ? shellBefore(history, release.shell.version) : remote?.previous?.version;
  const isWithdrawn = withdrawnOfPart.some(({ version }) => version === before);
  const byRole: readonly (readonly [BoardVersion['role'], string | undefined, number | undefined])[] = [
    ['live', part === 'shell' ? release.shell.version : remote?.live.version, undefined],
    ['canary', remote?.canary?.version.version, remote?.canary?.percent],
    ['previous', isWithdrawn ? undefined : before, undefined],
  ];
  const versions = byRole.map(async ([role, version, percent]): Promise<readonly BoardVersion[]> => {
    if (version === undefined) return [];
    const record = await store.versionRecord(part, version).catch(() => undefined);
    return [{ version, role, percent, at: record?.publishedAt, who: record?.publishedBy }];
  });
  return {
    part,
    owners,
    versions: [
      ...(await Promise.all(versions)).flat(),
      ...withdrawnOfPart
        .slice(-maxWithdrawn)
        .reverse()
        .map(({ version, at, who, why }) => ({ version, role: 'withdrawn' as const, at, who, why })),
    ],
  };
}

/** The version of the shell before the live one, which only the log knows. */
function shellBefore(history: readonly AuditEntry[], live: string): string | undefined {
  return history.find(({ part, from, to }) => part === 'shell' && to === live && from !== live)?.from;
}
