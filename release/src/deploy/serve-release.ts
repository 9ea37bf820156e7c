import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { remoteNames } from '@countersign/contracts/remotes';
import { errorMessage } from '../platform/file-error.ts';
import { IncompleteChange, type ReleaseError } from '../platform/release-error.ts';
import type { AuditEntry } from '../store/audit-entry.ts';
import type { LiveState, ReleaseStore } from '../store/release-store.ts';
import { servePages } from '../store/serve-pages.ts';
import type { WithdrawnVersion } from '../store/stored-documents.ts';
import type { Change } from './change.ts';
import type { NextState } from './next-state.ts';
import { undoRelease } from './undo-release.ts';
import { removeIfWithdrawn, removeWithdrawn, withdrawnIn } from './withdrawn-versions.ts';
import { lostSince } from './write-release.ts';

/** A release that has just become live. */
interface Committed {
  readonly before: LiveState | undefined;
  readonly next: NextState;
  readonly entry: AuditEntry;
  readonly withdrawn: readonly WithdrawnVersion[];
}

/**
 * Serves the pages of a committed release, and removes the versions that it withdraws. If `prune` has removed files of the release
 * since they were written, undoes the release before any visitor gets it, and throws a {@link ReleaseError} that says so. Throws
 * an {@link IncompleteChange} if a step fails.
 */
export async function serveRelease(
  store: ReleaseStore,
  { before, next, entry, withdrawn }: Committed,
): Promise<void> {
  let undone: ReleaseError | undefined;
  try {
    const lost = await lostSince(store, before, next);
    // A later release may have withdrawn a version of this one already.
    await removeIfWithdrawn(store, next.release, await store.readLive());
    if (lost.length > 0) undone = await undoRelease(store, before, entry.hash, lost);
    // After a restore from a backup, a page may still refer to withdrawn versions. It is not served until all are taken off.
    if (withdrawnIn(next.release, withdrawn).length === 0) await servePages(store);
    if (entry.withdrawn) await removeWithdrawn(store);
  } catch (cause) {
    throw incompleteChange(next.release, entry, cause);
  }
  if (undone) throw undone;
}

/** Completes a release that is live already, such as after an interruption. */
export async function serveAgain(store: ReleaseStore, next: NextState, change: Change): Promise<void> {
  await store.addRelease(next.release, next.pages);
  await removeIfWithdrawn(store, next.release, await store.readLive());
  await servePages(store);
  if (change.kind === 'withdraw') await removeWithdrawn(store);
}

/** The error of a release that was interrupted after its commit. */
function incompleteChange(release: ReleaseDocument, entry: AuditEntry, cause: unknown): ReleaseError {
  const part = remoteNames.find((name) => name === entry.part);
  const version = part && release.remotes[part]?.live.version;
  const remedies = entry.withdrawn?.map((withdrawn) => `withdraw ${entry.part} ${withdrawn}`) ?? [
    version === undefined ? `promote shell ${release.shell.version}` : `promote ${part} ${version}`,
  ];
  return new IncompleteChange(
    `The change is committed as entry ${entry.sequence} of the log, but not complete: ${errorMessage(cause)} Do not repeat the command. Complete it: ${remedies.join(', ')}.`,
    { cause },
  );
}
