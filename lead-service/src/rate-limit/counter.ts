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
   * @param harmless up to this many points, the answer may leave out what other instances have added within the last second
   */
  add(key: string, harmless?: number): Promise<Count>;
  /**
   * Adds one to a key for a value that is new in the window, and nothing for a repeated one. The first value of an instance may count
   * only with its second one.
   */
  addDistinct(key: string, value: string): Promise<Count>;
}

/** A counter in memory, whose answers need no waiting. */
export function createCounter(windowInSeconds: number) {
  const windows = new ExpiringMap<{ points: number }>(windowInSeconds);
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
export class ExpiringMap<Value extends object> {
  readonly #length: number;
  readonly #windows = new Map<string, Value & { readonly end: number }>();
  #sweeping: NodeJS.Timeout | undefined;

  constructor(windowInSeconds: number) {
    this.#length = windowInSeconds * 1_000;
  }

  /** Number of keys in memory, also of windows that have ended but are not removed yet. */
  get size(): number {
    return this.#windows.size;
  }

  get(key: string): (Value & { readonly end: number }) | undefined {
    const window = this.#windows.get(key);
    return window !== undefined && window.end > now() ? window : undefined;
  }

  /** Begins a window, in place of one that the key has. It ends after the usual time, or after some milliseconds. */
  begin(key: string, value: Value, length = this.#length): Value & { readonly end: number } {
    // One of the same key would keep its place in the order.
    this.#windows.delete(key);
    if (this.size === maxKeys)
      for (const old of [...this.#windows.keys()].slice(0, removedKeys)) this.#windows.delete(old);
    const window = { ...value, end: now() + length };
    this.#windows.set(key, window);
    this.#sweeping ??= setInterval(() => this.#sweep(), sweepInterval).unref();
    return window;
  }

  #sweep(): void {
    const time = now();
    for (const [key, { end }] of this.#windows) if (end <= time) this.#windows.delete(key);
    if (this.size > 0) return;
    clearInterval(this.#sweeping);
    this.#sweeping = undefined;
  }
}
