import { ReleaseError } from '../platform/release-error.ts';
import { nextEntry } from '../store/audit-entry.ts';
import type { LiveState, ReleaseStore } from '../store/release-store.ts';

/**
 * Restores the state before a release, unless another release followed. Returns the error to report, with the reasons.
 *
 * @param hash of the release's log entry
 */
export async function undoRelease(
  store: ReleaseStore,
  before: LiveState | undefined,
  hash: string,
  reasons: readonly string[],
): Promise<ReleaseError> {
  const live = await store.readLive();
  let outcome = 'changed';
  if (before && live?.entry.hash === hash) {
    const { releaseId, releaseHash } = before.entry;
    const change = {
      at: new Date().toISOString(),
      who: live.entry.who,
      action: 'rollback',
      why: 'prune removed a version or pages of the release at the same time',
    } as const;
    const entry = nextEntry(live.entry, change, { releaseId, releaseHash });
    outcome = await store.commit(live, before.release, entry, before.site, before.withdrawn);
    // Its pages were never served, so nothing refers to it.
    if (outcome === 'committed') await store.removeRelease(live.release.releaseId);
  }
  const end =
    outcome === 'committed'
      ? 'The page was restored.'
      : 'Another release followed. Check "status", and publish versions with lost files again.';
  return new ReleaseError([...reasons, end].join('\n'));
}
