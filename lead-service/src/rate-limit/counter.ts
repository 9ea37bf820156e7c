export interface Count {
  readonly points: number;
  /** Seconds until the window ends. */
  readonly secondsLeft: number;
}

/** Counts by key. Each key has its own fixed window, which starts with its first count. */
export interface Counter {
  /**
   * Adds one to a key.
   *
   * @param exactFrom below so many points, the answer may leave out what other instances have added within the last second
   */
  add(key: string, exactFrom?: number): Promise<Count>;
  /**
   * Adds one to a key for a value that is new in the window, and nothing for a repeated one. The first value of an instance may count
   * only with its second one.
   */
  addDistinct(key: string, value: string): Promise<Count>;
}

/** A counter in memory, whose answers need no waiting. */
export function createCounter(windowInSeconds: number) {
  const windows = createExpiringMap<{ points: number }>(windowInSeconds);
  return {
    add(key: string, points = 1): Count {
      const window = windows.get(key) ?? windows.begin(key, { points: 0 });
      window.points += points;
      return { points: window.points, secondsLeft: Math.ceil((window.end - now()) / 1_000) };
    },
    /** Replaces the window of a key. */
    set: (key: string, { points, secondsLeft }: Count) =>
      void windows.begin(key, { points }, secondsLeft * 1_000),
    /** The points of a key in its window; 0 outside of a window. */
    read: (key: string) => windows.get(key)?.points ?? 0,
  };
}

/** Whole milliseconds of a monotonic clock. */
function now(): number {
  return Math.round(performance.now());
}

/** Maximum number of windows. */
export const maxKeys = 20_000;
/** Oldest windows that are removed at the maximum. Many at once, because finding the first entry of a `Map` passes all deleted ones. */
export const removedKeys = 1_000;
/** Milliseconds between two removals of ended windows, while there are any. */
const sweepInterval = 10_000;

/** Values by key. Removes them after the end of their windows, because keys are personal data, and the oldest if there are too many. */
export function createExpiringMap<Value extends object>(windowInSeconds: number) {
  const windows = new Map<string, Value & { readonly end: number }>();
  let sweeping: NodeJS.Timeout | undefined;

  function sweep(): void {
    const time = now();
    for (const [key, { end }] of windows) if (end <= time) windows.delete(key);
    if (windows.size > 0) return;
    clearInterval(sweeping);
    sweeping = undefined;
  }

  return {
    get(key: string) {
      const window = windows.get(key);
      return window !== undefined && window.end > now() ? window : undefined;
    },
    /** Begins a window, in place of one that the key has. It ends after the usual time, or after some milliseconds. */
    begin(key: string, value: Value, length = windowInSeconds * 1_000) {
      // One of the same key would keep its place in the order.
      windows.delete(key);
      if (windows.size === maxKeys)
        for (const old of [...windows.keys()].slice(0, removedKeys)) windows.delete(old);
      const window = { ...value, end: now() + length };
      windows.set(key, window);
      sweeping ??= setInterval(sweep, sweepInterval).unref();
      return window;
    },
    /** Number of keys in memory, also of windows that have ended but are not removed yet. */
    size: () => windows.size,
  };
}
