const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long to wait after each failed attempt. Nearly two days in all; then a delivery is given up. */
export const retryDelays: readonly number[] = [
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  1 * hour,
  2 * hour,
  4 * hour,
  8 * hour,
  12 * hour,
  20 * hour,
];

/** What failed together is not tried again together. Small enough for each wait to be longer than the one before. */
const jitter = 0.15;

/** No attempt is planned further ahead, in milliseconds. */
export const longestRetryDelay = Math.max(...retryDelays) * (1 + jitter);

/**
 * Milliseconds until the next attempt, or undefined when there is to be none.
 *
 * @param attempts how many have failed
 * @param random from 0 to 1
 */
export function retryDelay(attempts: number, random: number): number | undefined {
  const delay = retryDelays[attempts - 1];
  return delay === undefined ? undefined : Math.round(delay * (1 - jitter + 2 * jitter * random));
}
