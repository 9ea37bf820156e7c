import { ReleaseError } from './release-error.ts';
import { lastPage, pagePrefix, type ReleaseStore } from './release-store.ts';

/**
 * Serves the pages of the live release. Repeats until the served pages are those of the live release, because concurrent
 * releases may interfere. Throws a {@link ReleaseError} if the store has no such pages.
 */
export async function servePages(store: ReleaseStore): Promise<void> {
  for (let served: string | undefined; ;) {
    const live = await store.readLive();
    if (!live || live.tag === served) return;
    const prefix = pagePrefix(live.release.releaseId);
    if (!(await store.objects.read(`${prefix}${lastPage}`))) {
      throw new ReleaseError(
        `The pages of release ${live.release.releaseId} are not in the store. Promote or roll back a version.`,
      );
    }
    await store.objects.serveAtRoot?.(prefix);
    served = live.tag;
  }
}
