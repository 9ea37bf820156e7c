import { setTimeout } from 'node:timers/promises';

/**
 * Runs an action again and again until `stop`, after the pause in milliseconds that it returns, or earlier if it is woken.
 *
 * @param run must not reject. Its signal aborts at the stop
 * @param firstPause milliseconds from the start to the first run
 */
export function createLoop(run: (signal: AbortSignal) => Promise<number>, firstPause = 0) {
  const stopping = new AbortController();
  let waking = new AbortController();
  let running: Promise<void> | undefined;

  async function repeat(): Promise<void> {
    for (let pause = firstPause; ; pause = await run(stopping.signal)) {
      await setTimeout(pause, undefined, { signal: waking.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      waking = new AbortController();
    }
  }
  return {
    start: () => void (running ??= repeat()),
    /** Ends the pause. During a run, the next one follows at once. */
    wake: () => waking.abort(),
    /** Resolves when the current run has ended. */
    async stop(): Promise<void> {
      stopping.abort();
      waking.abort();
      await running;
    },
  };
}
