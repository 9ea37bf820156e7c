import { setTimeout as delay } from 'node:timers/promises';
import { ReleaseError } from './release-error.ts';
import { lastPage, pagePrefix, type ReleaseStore } from './release-store.ts';

/** Attempts to serve the pages of one release. They take about a second. */
const maxAttempts = 20;

/**
 * Serves the pages of the live release. Repeats until the served pages are those of the live release, because concurrent
 * releases may interfere. Throws a {@link ReleaseError} if the store has no such pages, or if that does not end.
 */
export async function servePages(store: ReleaseStore): Promise<void> {
  let last: string | undefined;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const live = await store.readLive();
    if (!live) return;
    // Only attempts without a newer release are counted.
    if (live.tag !== last) attempt = 1;
    last = live.tag;
    const { releaseId } = live.release;
    const prefix = pagePrefix(releaseId);
    const isLive = async () => (await store.readLive())?.tag === live.tag;
    if (!(await store.objects.list(prefix)).includes(`${prefix}${lastPage}`)) {
      if (!(await isLive())) continue;
      throw new ReleaseError(
        `The pages of release ${releaseId} are not in the store. Promote or roll back a version.`,
      );
    }
    const outcome = await store.objects.serveAtRoot(prefix, isLive);
    if (outcome === 'served' && (await isLive())) return;
    await delay(Math.random() * 10 * attempt);
  }
  throw new ReleaseError(
    'The pages of the live release could not be served, because the store answered as if others were written all the time. Run "verify", then promote the live version again.',
  );
}
