/** Counters by key. Each key has its own fixed window, which starts with its first count. */
export interface Counter {
  /** Adds one or more to a key. It never fails: without the shared counter, this process counts alone. */
  add(key: string, points?: number): Promise<Count>;
  read(key: string): Promise<number>;
}

export interface Count {
  readonly points: number;
  /** Seconds until the window ends. */
  readonly secondsLeft: number;
}

/** @param name namespace of the keys */
export type OpenCounter = (name: string, windowInSeconds: number) => Counter;

export interface Counters {
  readonly open: OpenCounter;
  close(): Promise<void>;
}

/** Counts the distinct values that came with a key, including this one. A repeated value does not count again. */
export async function countDistinct(counter: Counter, key: string, value: string): Promise<number> {
  const { points } = await counter.add(`${key}:${value}`);
  return points === 1 ? (await counter.add(key)).points : await counter.read(key);
}

interface Window {
  points: number;
  readonly end: number;
}

export const maxKeys = 20_000;
/** Oldest windows removed at that bound. Many at once, because each search for the oldest skips the slots of removed ones. */
export const removedKeys = 1_000;

export const openOwnCounter: OpenCounter = (_name, windowInSeconds) => {
  // Windows of equal length end in the order in which they began, which is the order of the map.
  const windows = new Map<string, Window>();

  function find(key: string): Window | undefined {
    const window = windows.get(key);
    return window !== undefined && window.end > now() ? window : undefined;
  }

  function begin(key: string): Window {
    const window = { points: 0, end: now() + windowInSeconds * 1_000 };
    windows.delete(key);
    if (windows.size === maxKeys) makeRoom();
    windows.set(key, window);
    return window;
  }

  /** Removes the ended windows, or at least the oldest ones. */
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
