/** Counters by key. Each key has its own fixed window, which starts with its first count. */
export interface Counter {
  /** Adds to a key. Negative points subtract. */
  add(key: string, points?: number): Promise<Count>;
  /** The points of a key in its window; 0 outside of a window. */
  read(key: string): Promise<number>;
}

export interface Count {
  readonly points: number;
  /** Seconds until the window ends. */
  readonly secondsLeft: number;
}

/** @param name namespace of the keys */
export type OpenCounter = (name: string, windowInSeconds: number) => Counter;

/** Counts the distinct values that came with a key, including this one. A repeated value does not count again. */
export async function countDistinct(counter: Counter, key: string, value: string): Promise<number> {
  // Each value has a key of its own, which shows whether the value is new.
  const { points } = await counter.add(`${key}:${value}`);
  return points === 1 ? (await counter.add(key)).points : await counter.read(key);
}

interface Window {
  points: number;
  readonly end: number;
}

/** Maximum number of windows of a counter in memory. */
export const maxKeys = 20_000;
/** Oldest windows that are removed at the maximum. Many at once, because finding the first entry of a `Map` passes all deleted ones. */
export const removedKeys = 1_000;

/** Counts in the memory of this process. */
export const openOwnCounter: OpenCounter = (_name, windowInSeconds) => {
  // Windows of equal length end in the order in which they began, which is the order of the map.
  const windows = new Map<string, Window>();

  function find(key: string): Window | undefined {
    const window = windows.get(key);
    return window !== undefined && window.end > now() ? window : undefined;
  }

  function begin(key: string): Window {
    const window = { points: 0, end: now() + windowInSeconds * 1_000 };
    // An ended window of the key would keep its place in the order.
    windows.delete(key);
    if (windows.size === maxKeys) makeRoom();
    windows.set(key, window);
    return window;
  }

  /** Removes all ended windows, and at least {@link removedKeys} of the oldest. */
  function makeRoom(): void {
    for (const [oldest, { end }] of windows) {
      if (end > now() && windows.size <= maxKeys - removedKeys) break;
      windows.delete(oldest);
    }
  }

  return {
    async add(key, points = 1) {
      const window = find(key) ?? begin(key);
      window.points += points;
      return { points: window.points, secondsLeft: Math.ceil((window.end - now()) / 1_000) };
    },
    read: async (key) => find(key)?.points ?? 0,
  };
};

/** Whole milliseconds of a monotonic clock. */
function now(): number {
  return Math.round(performance.now());
}
