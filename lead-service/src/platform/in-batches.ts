import { setImmediate } from 'node:timers/promises';

/**
 * Processes batches until none is left. Yields to the event loop before each batch, because SQLite may block this
 * thread. Throws when the signal aborts; finished batches stay committed.
 *
 * @param batch processes one batch and returns whether there may be more
 */
export async function inBatches(
  signal: AbortSignal | undefined,
  batch: () => Promise<boolean>,
): Promise<void> {
  do {
    await setImmediate();
    signal?.throwIfAborted();
  } while (await batch());
}
