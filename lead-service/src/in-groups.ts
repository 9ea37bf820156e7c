import { setImmediate } from 'node:timers/promises';

/**
 * Does something again and again until it finds nothing more to do. In between, everything else has its turn: SQLite
 * works in this thread. Throws when it is to stop, and what was done stays done.
 *
 * @param group does a part of the work, and says whether there may be more
 */
export async function inGroups(
  signal: AbortSignal | undefined,
  group: () => Promise<boolean>,
): Promise<void> {
  do {
    await setImmediate();
    signal?.throwIfAborted();
  } while (await group());
}
