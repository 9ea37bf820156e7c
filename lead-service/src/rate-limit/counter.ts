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
   * @param harmless up to this many points, the answer may leave out what other instances have added in this moment
   */
  add(key: string, harmless?: number): Promise<Count>;
  /**
   * Adds one to a key for a value that is new in the window, and nothing for a repeated one. The first value of an instance may count
   * only with its second one.
   */
  addDistinct(key: string, value: string): Promise<Count>;
}

export interface Counters {
  /** @param name tells the keys of this counter from those of others */
  open(name: string, windowInSeconds: number): Counter;
}

/** Counts in the memory of this process. */
export function memoryCounters(): Counters {
  return {
    open(_name, windowInSeconds) {
      const counter = createCounter(windowInSeconds);
      return {
        add: async (key) => counter.add(key),
        async addDistinct(key, value) {
          // Each value has a key of its own, which shows whether the value is new.
          const { points } = counter.add(`${key}:${value}`);
          return counter.add(key, points === 1 ? 1 : 0);
        },
      };
    },
  };
}

/** A {@link Counter} whose answers need no waiting. */
interface MemoryCounter {
  /** Adds to a key. */
  add(key: string, points?: number): Count;
  /** The points of a key in its window; 0 outside of a window. */
  read(key: string): number;
}

/** Maximum number of windows of a counter. */
export const maxKeys = 20_000;
/** Oldest windows that are removed at the maximum. Many at once, because finding the first entry of a `Map` passes all deleted ones. */
export const removedKeys = 1_000;

export function createCounter(windowInSeconds: number): MemoryCounter {
  // Windows of equal length end in the order in which they began, which is the order of the map.
  const windows = new Map<string, { points: number; readonly end: number }>();

  function find(key: string) {
    const window = windows.get(key);
    return window !== undefined && window.end > now() ? window : undefined;
  }

  function begin(key: string) {
    const window = { points: 0, end: now() + windowInSeconds * 1_000 };
    // An ended window of the key would keep its place in the order.
    windows.delete(key);
    if (windows.size === maxKeys)
      [...windows.keys()].slice(0, removedKeys).forEach((old) => windows.delete(old));
    windows.set(key, window);
    return window;
  }

  return {
    add(key, points = 1) {
      const window = find(key) ?? begin(key);
      window.points += points;
      return { points: window.points, secondsLeft: Math.ceil((window.end - now()) / 1_000) };
    },
    read: (key) => find(key)?.points ?? 0,
  };
}

/** Whole milliseconds of a monotonic clock. */
function now(): number {
  return Math.round(performance.now());
}
