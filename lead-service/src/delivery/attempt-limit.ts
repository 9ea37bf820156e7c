/** Aborts one attempt at its timeout, or when the service interrupts it. */
export interface AttemptLimit extends Disposable {
  readonly signal: AbortSignal;
  /** Whether the timeout has expired. */
  readonly isOver: boolean;
  /**
   * Throws if the timeout has expired. The signal may be late: after a stop of the process (SIGSTOP), Node handles I/O before
   * timers. Call it right before something is sent.
   */
  throwIfOver(): void;
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
  const deadline = performance.now() + timeout;
  let isOver = false;
  const end = () => {
    isOver = true;
    controller.abort();
  };
  const timer = setTimeout(end, timeout);
  if (interruption.aborted) interrupt();
  interruption.addEventListener('abort', interrupt, { once: true });
  return {
    signal: controller.signal,
    get isOver() {
      return isOver;
    },
    throwIfOver() {
      if (performance.now() >= deadline) end();
      controller.signal.throwIfAborted();
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      interruption.removeEventListener('abort', interrupt);
    },
  };
}
