import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { remoteNames } from '@countersign/contracts/remotes';
import { errorMessage } from '../store/file-error.ts';
import { IncompleteChange, ReleaseError } from '../store/release-error.ts';
import { nextEntry, type HistoryEntry } from '../store/history.ts';
import type { LiveState, ReleaseStore } from '../store/release-store.ts';
import { servePages } from '../store/serve-pages.ts';
import type { NextState } from './next-state.ts';
import { lostSince } from './write-release.ts';

/** A release that has just become live. */
interface Committed {
  readonly before: LiveState | undefined;
  readonly next: NextState;
  readonly entry: HistoryEntry;
}

/**
 * Serves the pages of a committed release. If something of it was removed since it was written, undoes the release before any visitor
 * gets it, and throws a {@link ReleaseError} that says so. Throws an {@link IncompleteChange} if a step fails.
 */
export async function serveRelease(store: ReleaseStore, { before, next, entry }: Committed): Promise<void> {
  let undone: ReleaseError | undefined;
  try {
    const lost = await lostSince(store, before, next);
    if (lost.length > 0) undone = await undoRelease(store, before, entry, lost);
    await servePages(store);
  } catch (cause) {
    throw incompleteChange(next.release, entry, cause);
  }
  if (undone) throw undone;
}

/** Restores the state before a release, unless another release followed. Returns the error to report, with the reasons. */
async function undoRelease(
  store: ReleaseStore,
  before: LiveState | undefined,
  undone: HistoryEntry,
  reasons: readonly string[],
): Promise<ReleaseError> {
  const live = await store.readLive();
  let outcome = 'changed';
  if (before && live?.entry.id === undone.id) {
    const { releaseId, releaseHash } = before.entry;
    const why = 'a version or the pages of the release were removed at the same time';
    const change = { at: new Date().toISOString(), who: undone.who, action: 'rollback', why } as const;
    const entry = nextEntry(live.entry, change, { releaseId, releaseHash });
    outcome = await store.commit(live, before.release, entry, before.site);
  }
  const end =
    outcome === 'committed'
      ? 'The page was restored.'
      : 'Another release followed. Check "status", and publish versions with lost files again.';
  return new ReleaseError([...reasons, end].join('\n'));
}

/** The error of a release that was interrupted after its commit. */
function incompleteChange(release: ReleaseDocument, entry: HistoryEntry, cause: unknown): ReleaseError {
  const part = remoteNames.find((name) => name === entry.part);
  const version = part && release.remotes[part]?.live.version;
  const remedy =
    version === undefined ? `promote shell ${release.shell.version}` : `promote ${part} ${version}`;
  return new IncompleteChange(
    `The change is committed as entry ${entry.sequence} of the history, but not complete: ${errorMessage(cause)} Do not repeat the command. Complete it: ${remedy}.`,
    { cause },
  );
}
