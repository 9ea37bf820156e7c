import type { SiteConfig } from '@countersign/contracts/site-config';
import { ReleaseFault } from '../release-fault.ts';
import { nextEntry } from '../store/audit-entry.ts';
import type { LiveState, ReleaseStore } from '../store/release-store.ts';

/**
 * Makes the state before a release live again, unless another release followed, and throws a {@link ReleaseFault} with
 * the reasons.
 *
 * @param hash of the entry in the log with which the release became live
 */
export async function undoRelease(
  store: ReleaseStore,
  before: LiveState | undefined,
  hash: string,
  site: SiteConfig,
  reasons: readonly string[],
): Promise<never> {
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
    const entry = nextEntry(live.entry, change, {
      releaseId,
      ...(releaseHash === undefined ? {} : { releaseHash }),
    });
    outcome = await store.commit(live, before.release, entry, before.site ?? site, before.withdrawn);
    // No visitor has seen it, and it cannot be replayed.
    if (outcome === 'committed') await store.removeRelease(live.release.releaseId);
  }
  await store.servePages();
  const end =
    outcome === 'committed'
      ? 'The page is as it was before.'
      : 'Another release followed at once. Look at "status", and publish again what it names and has lost.';
  throw new ReleaseFault([...reasons, end].join('\n'));
}
