import { setTimeout } from 'node:timers/promises';

/** Polls until a condition holds. The timeout of the test ends it. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await setTimeout(20);
}
