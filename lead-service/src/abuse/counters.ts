import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { BoundedMemoryLimiter } from './bounded-memory-limiter.ts';

/** What is counted, each within a window of its own that starts with the first time. */
export interface Counter {
  /** Counts one more time, or several. Never fails: when a shared count cannot be had, this process counts alone. */
  add(key: string, times?: number): Promise<Count>;
  /** How often it was counted. */
  read(key: string): Promise<number>;
}

export interface Count {
  readonly times: number;
  /** Until it starts anew. */
  readonly secondsLeft: number;
}

/** @param name keeps the keys of different counters apart */
export type OpenCounter = (name: string, windowInSeconds: number) => Counter;

export interface Counters {
  readonly open: OpenCounter;
  close(): Promise<void>;
}

/** Counters of this process alone. */
export const openOwnCounter: OpenCounter = (name, windowInSeconds) =>
  counterOf(new BoundedMemoryLimiter({ keyPrefix: name, points: 0, duration: windowInSeconds }));

/** How often something has happened is counted as a penalty: what follows from it is decided elsewhere. */
export function counterOf(limiter: RateLimiterAbstract): Counter {
  return {
    async add(key, times = 1) {
      const { consumedPoints, msBeforeNext } = await limiter.penalty(key, times);
      return { times: consumedPoints, secondsLeft: Math.ceil(msBeforeNext / 1000) };
    },
    read: async (key) => (await limiter.get(key))?.consumedPoints ?? 0,
  };
}
