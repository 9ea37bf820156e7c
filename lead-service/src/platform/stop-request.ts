/**
 * Resolves with the reason when the service is asked to stop: by a signal, or by the end of the process that started
 * it with an IPC channel. Asked again, it neither dies nor starts over.
 */
export function stopRequest(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal));
    // `send` stays defined when the channel is already gone, `connected` does not stay true.
    if (process.send === undefined) return;
    if (process.connected) process.on('disconnect', () => resolve('disconnect'));
    else resolve('disconnect');
  });
}
