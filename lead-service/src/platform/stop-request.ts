/**
 * Resolves with the reason for a graceful shutdown: SIGTERM, SIGINT, or the end of the IPC channel to the parent
 * process. Later signals have no effect, so that the shutdown can finish.
 */
export function stopRequest(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal));
    // After the channel has closed, `send` is still defined, but `connected` is false.
    if (process.send === undefined) return;
    if (process.connected) process.on('disconnect', () => resolve('disconnect'));
    else resolve('disconnect');
  });
}
