import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { PartName } from '@countersign/contracts/remotes';
import { ReleaseFault } from '../release-fault.ts';
import type { LiveState, ReleaseStore } from '../store/release-store.ts';
import type { WithdrawnVersion } from '../store/stored-documents.ts';
import { takenOff, type Change, type ReleaseContent } from './change.ts';
import { namedVersions, type NamedVersion } from './named-versions.ts';
import { assertVersionName } from './stored-version.ts';

/** The versions of its part that a change withdraws. */
export function withdrawnBy(
  change: Change,
  before: ReleaseContent | undefined,
  after: ReleaseContent,
): readonly string[] {
  if (change.action === 'withdraw') return [change.version];
  if (change.action !== 'rollback' || 'judged' in change || !change.withdraw || !before) return [];
  return takenOff(change.part, before, after);
}

/** The list of withdrawn versions after a change. The same object where the change leaves it as it is. */
export function withdrawnAfter(
  live: LiveState | undefined,
  after: ReleaseContent,
  change: Change,
  decision: Pick<WithdrawnVersion, 'at' | 'who' | 'why'>,
): readonly WithdrawnVersion[] {
  const withdrawn = live?.withdrawn ?? [];
  if (change.action === 'reinstate') return withdrawn.filter((known) => !isSame(known, change));
  const added = withdrawnBy(change, live?.release, after).flatMap((version) => {
    const named = 'part' in change && { part: change.part, version };
    return named && !find(withdrawn, named) ? [{ ...named, ...decision }] : [];
  });
  return added.length > 0 ? [...withdrawn, ...added] : withdrawn;
}

/** Throws a {@link ReleaseFault} if a change would release a withdrawn version, or withdraws one that does not exist. */
export async function assertAllowed(
  store: ReleaseStore,
  withdrawn: readonly WithdrawnVersion[],
  change: Change,
): Promise<void> {
  if (change.action === 'withdraw' || change.action === 'reinstate') {
    const { action, part, version } = change;
    assertVersionName(version);
    if (find(withdrawn, change)) return;
    if (action === 'reinstate') throw new ReleaseFault(`${part} ${version} is not withdrawn.`);
    if (!(await store.hashesOf(part, version))) {
      throw new ReleaseFault(
        `${part} ${version} is not published, so there is nothing to withdraw. "history" lists the versions.`,
      );
    }
    return;
  }
  for (const named of releasedBy(change)) assertNotWithdrawn(withdrawn, named);
}

/** Throws a {@link ReleaseFault} that says who withdrew the version, and what to do. */
export function assertNotWithdrawn(withdrawn: readonly WithdrawnVersion[], named: NamedVersion): void {
  const found = find(withdrawn, named);
  if (!found) return;
  const { part, version, at, who, why } = found;
  const reason = why === undefined ? '' : ` (${why})`;
  throw new ReleaseFault(
    `${part} ${version} was withdrawn by ${who} on ${at.slice(0, 10)}${reason}. Build another version, or allow this one again: reinstate ${part} ${version} --why "…".`,
  );
}

/**
 * Removes the files of every withdrawn version, and every stored state of the page that names one. Whatever serves the
 * store then answers 404 for them, without a list to look at. Can be repeated after an interruption.
 */
export async function removeWithdrawn(store: ReleaseStore): Promise<void> {
  const live = await store.readLive();
  if (!live) return;
  for (const { part, version } of live.withdrawn) await store.removeVersion(part, version);
  await Promise.all(
    (await store.releaseIds()).map(async (releaseId) => {
      const release = (await store.readRelease(releaseId))?.release;
      if (release) await removeIfWithdrawn(store, release, live);
    }),
  );
}

/** Removes a stored state of the page that names a withdrawn version. */
export async function removeIfWithdrawn(
  store: ReleaseStore,
  release: ReleaseDocument,
  live: LiveState | undefined,
): Promise<void> {
  const names = namedVersions(release).some((named) => find(live?.withdrawn ?? [], named));
  if (names && release.releaseId !== live?.release.releaseId) await store.removeRelease(release.releaseId);
}

/** The versions that a change asks to make live, for all visitors or some. */
function releasedBy(change: Change): readonly NamedVersion[] {
  // A canary that is still as it was judged is not withdrawn.
  if ('judged' in change) return [];
  switch (change.action) {
    case 'promote':
      return Object.entries(change.versions).map(([part, version]) => ({ part: part as PartName, version }));
    case 'canary':
      return [change];
    case 'rollback':
      return change.version === undefined ? [] : [{ part: change.part, version: change.version }];
    default:
      return [];
  }
}

function find(withdrawn: readonly WithdrawnVersion[], named: NamedVersion): WithdrawnVersion | undefined {
  return withdrawn.find((known) => isSame(known, named));
}

function isSame(one: NamedVersion, other: NamedVersion): boolean {
  return one.part === other.part && one.version === other.version;
}
