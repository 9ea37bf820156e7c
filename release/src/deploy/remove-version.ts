import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { versionsIn, type PartVersion } from '@countersign/contracts/release-versions';
import { errorMessage } from '../platform/errors.ts';
import { IncompleteChange, ReleaseError } from '../platform/release-error.ts';
import type { Author, RecordedChange } from '../store/stored-documents.ts';
import type { LiveState } from '../store/live-store.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { unlessDamaged } from '../store/stored-json.ts';
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
  author: Author,
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
  return removeFromStore(store, removal, { ...author, parts: [part], from: version });
}

/**
 * Removes versions, the stored releases that refer to them, and other releases. Records go first. Then a commit to the history makes
 * each change in progress lose its compare-and-swap, and its next attempt finds no record. Files go last. Throws a
 * {@link ReleaseError} if the live release refers to one of the versions, or is one of the releases. Restores the records if nothing
 * was committed, and throws an {@link IncompleteChange} if something was or may be.
 */
export async function removeFromStore(
  store: ReleaseStore,
  removal: Removal,
  change: Omit<RecordedChange, 'action'>,
): Promise<ReleaseDocument> {
  assertUnreferenced(await store.live.require(), removal);
  const restoring: Restore[] = [];
  const decide = (live: LiveState) => {
    assertUnreferenced(live, removal);
    return { action: 'remove', ...change } as const;
  };
  const commit = async () => {
    await removeRecords(store, removal, restoring);
    return store.live.commitWithoutNewPage(decide);
  };
  const { entry, release } = await commit().catch(async (error: unknown) => {
    // One after the other, because they may be more than the files that a process can open.
    if (!(error instanceof IncompleteChange)) for (const restore of restoring) await restore();
    throw error;
  });
  await removeFiles(store, removal).catch((cause: unknown) => {
    throw new IncompleteChange(
      `The removal is committed as entry ${entry.sequence} of the history, but not complete: ${errorMessage(cause)} Repeat the command.`,
      { cause },
    );
  });
  return release;
}

/** Removes what is left of versions and releases without a record, and the stored releases that refer to these versions. */
async function removeFiles(store: ReleaseStore, { versions, releases }: Removal): Promise<void> {
  for (const id of versions.length > 0 ? await store.releaseIds() : []) {
    // The pages of a damaged record stay, because they may be live.
    const stored = (await unlessDamaged(store.readRelease(id)))?.release;
    if (stored && findReferenced(stored, versions)) await store.removeRelease(id);
  }
  // A concurrent change may have stored a release again, to make it live.
  for (const id of releases) if (!(await store.readRelease(id))) await store.removeRelease(id);
  for (const { part, version } of versions) await store.removeVersion(part, version);
}

type Restore = () => Promise<void>;

/** Removes the records of versions and releases. Notes how each of them is restored before it is removed. */
async function removeRecords(
  store: ReleaseStore,
  { versions, releases }: Removal,
  restoring: Restore[],
): Promise<void> {
  for (const { part, version } of versions) {
    // A damaged one is not restored. To publish the version again does that.
    const record = await unlessDamaged(store.versionRecord(part, version));
    if (record) restoring.push(() => store.addRecord(part, version, record));
    await store.removeRecord(part, version);
  }
  for (const id of releases) {
    const record = await unlessDamaged(store.readRelease(id));
    if (record) restoring.push(() => store.addRelease(record.release, new Map()));
    await store.removeReleaseRecord(id);
  }
}

/** Throws a {@link ReleaseError} if a release refers to one of the versions, or is one of the releases. */
function assertUnreferenced({ release }: LiveState, { versions, releases }: Removal): void {
  const found = findReferenced(release, versions);
  if (!found && !releases.includes(release.releaseId)) return;
  throw new ReleaseError(
    found
      ? `${found.part} ${found.version} is live, the version before it, or a canary. Take it off the page first: promote or roll back to others.`
      : `Release ${release.releaseId} is live, so it was not removed. Try again.`,
  );
}

/** The first of these versions that a release refers to. */
function findReferenced(release: ReleaseDocument, versions: readonly PartVersion[]): PartVersion | undefined {
  return versionsIn(release).find((each) =>
    versions.some(({ part, version }) => each.part === part && each.version === version),
  );
}
