/** Ends one attempt early: when its time is up, or when the service cannot wait any longer. */
export interface AttemptLimit extends Disposable {
  readonly signal: AbortSignal;
  /** Whether the time was up. */
  readonly isOver: boolean;
}

/**
 * Limits one attempt, until it is disposed of. Then nothing of it is left: `AbortSignal.any` would keep an entry for each
 * attempt as long as the service runs.
 *
 * @param timeout milliseconds
 */
export function limitAttempt(timeout: number, interruption: AbortSignal): AttemptLimit {
  const controller = new AbortController();
  const interrupt = () => controller.abort(interruption.reason);
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort();
  }, timeout);
  if (interruption.aborted) interrupt();
  interruption.addEventListener('abort', interrupt, { once: true });
  return {
    signal: controller.signal,
    get isOver() {
      return isOver;
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      interruption.removeEventListener('abort', interrupt);
    },
  };
}
