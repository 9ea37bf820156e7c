const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Back-off after each failed attempt, in milliseconds. In total nearly two days. */
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

/** Spreads the retries of simultaneous failures. Small enough that each delay exceeds the previous one. */
const jitter = 0.15;

/** Upper limit of a retry delay, in milliseconds. */
export const maxRetryDelay = Math.max(...retryDelays) * (1 + jitter);

/**
 * Milliseconds until the next attempt, or undefined if no retries are left.
 *
 * @param attempts number of failed attempts
 * @param random from 0 to 1
 */
export function retryDelay(attempts: number, random: number): number | undefined {
  const delay = retryDelays[attempts - 1];
  return delay === undefined ? undefined : Math.round(delay * (1 - jitter + 2 * jitter * random));
}
