import type { Counter } from './counters.ts';

/** How many different things have come with a key, this one included. One that comes again does not count again. */
export async function countDistinct(counter: Counter, key: string, thing: string): Promise<number> {
  const { times } = await counter.add(`${key}:${thing}`);
  return times === 1 ? (await counter.add(key)).times : await counter.read(key);
}
