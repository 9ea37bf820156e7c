/** Aborts one attempt at its timeout, or when the service interrupts it. */
export interface AttemptLimit extends Disposable {
  readonly signal: AbortSignal;
  /** Whether the timeout has expired. */
  readonly isOver: boolean;
}

/**
 * Limits one attempt. Disposal removes its listener from `interruption`. `AbortSignal.any` would keep an entry for each
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
