import { setTimeout } from 'node:timers/promises';

/** In milliseconds. Shorter than database timeouts, because health probes must answer quickly. */
const timeout = 2_000;

/**
 * Returns the result, or undefined if the read fails or times out. It never rejects, because a health check must report
 * a failure instead of failing.
 */
export function inTime<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  return Promise.race([read().catch(() => undefined), setTimeout(timeout, undefined, { ref: false })]);
}
