/** Back-off after each failed attempt, in milliseconds: from half a minute to 20 hours, in total nearly two days. */
export const retryDelays = [0.5, 2, 10, 30, 60, 120, 240, 480, 720, 1_200].map((minutes) => minutes * 60_000);

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
