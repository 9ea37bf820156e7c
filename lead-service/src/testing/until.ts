import { setTimeout } from 'node:timers/promises';

/** Waits until something is so, for what tells nobody when it changes. The test's own time-out ends it. */
export async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await setTimeout(20);
}
