import { randomUUID } from 'node:crypto';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { versionsIn, type PartVersion } from '@countersign/contracts/release-versions';
import { errorMessage } from '../platform/errors.ts';
import { mapConcurrently } from '../platform/map-concurrently.ts';
import { IncompleteChange, ReleaseError } from '../platform/release-error.ts';
import type { Attribution, RecordedChange } from '../store/stored-documents.ts';
import type { LiveState } from '../store/live-store.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import type { Artifact } from '../store/stored-records.ts';
import { assertVersionName } from '../store/stored-version.ts';

export interface Removal {
  readonly versions: readonly PartVersion[];
  /** IDs of stored releases. */
  readonly releases: readonly string[];
}

/**
 * Removes a version that the page does not name, and every stored page that names it, so that each server of the store responds
 * with 404. Can be repeated after an interruption. Throws a {@link ReleaseError} if the version is live, previous or canary.
 */
export async function removeVersion(
  store: ReleaseStore,
  { part, version }: PartVersion,
  attribution: Attribution,
): Promise<ReleaseDocument> {
  assertVersionName(version);
  const known = await store.knownVersions();
  const isKnown = known.some((each) => each.part === part && each.version === version);
  if (!isKnown && (await store.filesOf({ part, version }).list()).length === 0) {
    throw new ReleaseError(
      `${part} ${version} is not published, so there is nothing to remove. "history" lists the versions that were live.`,
    );
  }
  const removal = { versions: [{ part, version }], releases: [] };
  return removeFromStore(store, removal, { ...attribution, parts: [part], from: version });
}

/**
 * Removes versions, the stored releases that refer to them, and other releases. Marks their records first, so that they cannot be
 * stored again. Then a commit to the history makes each change in progress lose its compare-and-swap, and its next attempt finds the
 * marks. Files go last. Throws a {@link ReleaseError} if the live release refers to one of the versions, or is one of the releases.
 * Takes its marks away if nothing was committed, and throws an {@link IncompleteChange} if something was or may be.
 */
export async function removeFromStore(
  store: ReleaseStore,
  removal: Removal,
  change: Omit<RecordedChange, 'action'>,
): Promise<ReleaseDocument> {
  assertUnreferenced(await store.liveStore.require(), removal);
  const removed = [...removal.releases.map((releaseId) => ({ releaseId })), ...removal.versions];
  const id = randomUUID();
  const marked: Artifact[] = [];
  const decide = (liveState: LiveState) => {
    assertUnreferenced(liveState, removal);
    return { action: 'remove', ...change } as const;
  };
  const commit = async () => {
    for (const artifact of removed) {
      marked.push(artifact);
      await store.markForRemoval(artifact, id);
    }
    return store.liveStore.commitWithoutNewPage(decide);
  };
  const { historyEntry, release } = await commit().catch(async (cause: unknown) => {
    const failures = cause instanceof IncompleteChange ? [] : await store.records.unmark(marked, id);
    if (failures.length === 0) throw cause;
    throw new ReleaseError(`${errorMessage(cause)} ${failures.join(' ')} Repeat the removal, or "prune".`, {
      cause,
    });
  });
  await removeFiles(store, removal, removed, id).catch((cause: unknown) => {
    throw new IncompleteChange(
      `The removal is committed as entry ${historyEntry.sequence} of the history, but not complete: ${errorMessage(cause)} Repeat the command.`,
      { cause },
    );
  });
  return release;
}

/**
 * Removes the files of what a removal has marked, and the stored releases that refer to these versions. Throws a {@link ReleaseError} if
 * another removal has marked something since, because that one may have been refused, or removed it, and it was stored again.
 */
async function removeFiles(
  store: ReleaseStore,
  { versions }: Removal,
  removed: readonly Artifact[],
  id: string,
): Promise<void> {
  const isMarked = async (artifact: Artifact) => (await store.records.removalOf(artifact)) === id;
  for (const releaseId of versions.length > 0 ? await store.releaseIds() : []) {
    // The pages of a damaged record stay, because they may be live.
    const stored = await store.readRelease(releaseId);
    const referenced = stored && findReferenced(stored, versions);
    if (referenced && (await isMarked(referenced))) await store.remove({ releaseId });
  }
  const lost = await mapConcurrently(removed, async (artifact) => {
    if (!(await isMarked(artifact))) return true;
    await store.remove(artifact);
    return false;
  });
  if (lost.includes(true))
    throw new ReleaseError('A concurrent removal has marked the same versions or releases.');
}

/** Throws a {@link ReleaseError} if a release refers to one of the versions, or is one of the releases. */
function assertUnreferenced({ release }: LiveState, { versions, releases }: Removal): void {
  const found = findReferenced(release, versions);
  if (!found && !releases.includes(release.releaseId)) return;
  throw new ReleaseError(
    found
      ? `Nothing was removed: ${found.part} ${found.version} is live, the version before it, or a canary. Take it off the page first (promote or roll back to others), or repeat "prune", which keeps it.`
      : `Nothing was removed: release ${release.releaseId} is live. Repeat the command.`,
  );
}

/** The first of these versions that a release refers to. */
function findReferenced(release: ReleaseDocument, versions: readonly PartVersion[]): PartVersion | undefined {
  return versionsIn(release).find((each) =>
    versions.some(({ part, version }) => each.part === part && each.version === version),
  );
}
