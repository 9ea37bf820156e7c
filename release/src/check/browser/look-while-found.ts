import { setTimeout as delay } from 'node:timers/promises';

/** The shortest time between two looks, in milliseconds. */
const pollInterval = 30;

/**
 * Looks until it finds nothing more, at most for some milliseconds. Returns what it found last. Waits longer between later looks, a
 * fifth of the time that has passed, because a look can take long. A look counts for a fifth of the limit at most, with the wait after
 * it, because a burst of load can stop the page for longer than the whole limit.
 */
export async function lookWhileFound<Found>(
  limit: number,
  look: () => Promise<Found | undefined> | Found | undefined,
): Promise<Found | undefined> {
  let passed = 0;
  for (;;) {
    const start = performance.now();
    const found = await look();
    if (found === undefined || passed >= limit) return found;
    // Not past the limit, when it looks for the last time.
    await delay(Math.max(pollInterval, Math.min(passed / 5, limit - passed)));
    passed += Math.min(performance.now() - start, limit / 5);
  }
}
