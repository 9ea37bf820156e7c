/** A signal that aborts on SIGINT, SIGTERM or SIGHUP. Repeated signals do not interrupt the shutdown. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  return stopping.signal;
}

/**
 * Runs a program until a signal. However it ends, what it has opened is closed in reverse order. A stop is no error, also while the
 * program starts.
 */
export async function runUntilStopped(
  run: (stopping: AbortSignal, opened: AsyncDisposableStack) => Promise<void>,
): Promise<void> {
  const stopping = stopSignal();
  try {
    await using opened = new AsyncDisposableStack();
    await run(stopping, opened);
  } catch (error) {
    if (!stopping.aborted) throw error;
  }
}

/** Resolves when a signal is aborted, or immediately if it already is. */
export function aborted(signal: AbortSignal): Promise<'aborted'> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('aborted');
    signal.addEventListener('abort', () => resolve('aborted'));
  });
}
