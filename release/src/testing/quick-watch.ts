import type { WatchOptions } from '../canary/watch-canary.ts';

/** Options of a watch of mf-pricing that reads the reports without a pause. */
export const quickWatch: Omit<WatchOptions, 'reports' | 'stages'> = {
  part: 'mf-pricing',
  minimumViews: 50,
  interval: 1,
  timeout: 60_000,
  who: 'a test',
  stopping: new AbortController().signal,
  progress: () => undefined,
  raised: () => undefined,
};
