import type { WatchOptions } from '../canary/watch-canary.ts';

/** Options of a watch of mf-pricing that scrapes without a pause and does not wait for views to settle. */
export const quickWatch: Omit<WatchOptions, 'metrics' | 'stages'> = {
  part: 'mf-pricing',
  minimumViews: 50,
  interval: 1,
  settlingTime: 0,
  timeout: 60_000,
  who: 'a test',
  stopping: new AbortController().signal,
  progress: () => undefined,
  raised: () => undefined,
};
