/** Durations of one interaction in milliseconds, as Event Timing reports them. */
export interface InteractionTiming {
  /** From the input to the next frame. The browser rounds it to 8 ms. */
  readonly duration: number;
  /** Until the first handler runs. */
  readonly delay: number;
  /** Handlers. */
  readonly processing: number;
  /** Style, layout and paint. */
  readonly presentation: number;
}

export interface ObservedInteractions {
  /** Timings since the last reset, the longest event of each interaction. */
  timings: InteractionTiming[];
  /** From the end of the press until a frame shows the result, in milliseconds. */
  shownAfter: number | undefined;
  /** Starts a new measurement. Waits for the element that the selector matches. */
  reset(result: string | undefined): void;
}

/** Runs in the page before its scripts. */
export function observeInteractions(): void {
  const byInteraction = new Map<number, InteractionTiming>();
  let pressedAt: number | undefined;
  const observed: ObservedInteractions = {
    timings: [],
    shownAfter: undefined,
    reset(result) {
      byInteraction.clear();
      observed.timings = [];
      observed.shownAfter = undefined;
      pressedAt = undefined;
      if (result === undefined) return;
      const changes = new MutationObserver(() => {
        if (pressedAt === undefined || !document.querySelector(result)) return;
        changes.disconnect();
        const from = pressedAt;
        // A message that is posted in a frame arrives after that frame was painted.
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => void (observed.shownAfter = performance.now() - from);
          port2.postMessage(undefined);
        });
      });
      changes.observe(document.documentElement, { attributes: true, childList: true, subtree: true });
    },
  };
  Object.assign(globalThis, { observedInteractions: observed });
  addEventListener('pointerup', ({ timeStamp }) => (pressedAt = timeStamp), { capture: true });

  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEventTiming & { interactionId?: number })[]) {
      const { interactionId, startTime, duration, processingStart, processingEnd } = entry;
      if (!interactionId || (byInteraction.get(interactionId)?.duration ?? 0) >= duration) continue;
      byInteraction.set(interactionId, {
        duration,
        delay: processingStart - startTime,
        processing: processingEnd - processingStart,
        presentation: Math.max(0, startTime + duration - processingEnd),
      });
    }
    observed.timings = [...byInteraction.values()];
  });
  observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
}
