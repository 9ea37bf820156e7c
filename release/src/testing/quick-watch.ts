import type { WatchOptions } from '../canary/watch-canary.ts';
import { builtRemote } from './built-part.ts';
import { createLiveSite, type TemporaryStore } from './temporary-store.ts';

/** A store in which 1.1.0 of mf-pricing is a canary beside 1.0.0. */
export async function createSiteWithCanary(percent: number): Promise<TemporaryStore> {
  const site = await createLiveSite({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  await site.publish(builtRemote('mf-pricing', '1.1.0'));
  await site.change({ kind: 'canary', part: 'mf-pricing', version: '1.1.0', percent });
  return site;
}

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
