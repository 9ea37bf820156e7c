import { setTimeout as delay } from 'node:timers/promises';

/** The shortest time between two polls, in milliseconds. */
const pollInterval = 30;

/**
 * Polls until nothing more is found, at most for some milliseconds. Returns what was found last. Waits longer between later polls, a
 * fifth of the time that has passed, because a poll can take long. A poll counts for a fifth of the limit at most, with the wait after
 * it, because a burst of load can stop the page for longer than the whole limit.
 */
export async function pollWhileFound<Found>(
  limit: number,
  find: () => Promise<Found | undefined> | Found | undefined,
): Promise<Found | undefined> {
  let passed = 0;
  for (;;) {
    const start = performance.now();
    const found = await find();
    if (found === undefined || passed >= limit) return found;
    // Not past the limit, when it polls for the last time.
    await delay(Math.max(pollInterval, Math.min(passed / 5, limit - passed)));
    passed += Math.min(performance.now() - start, limit / 5);
  }
}
