import { setTimeout } from 'node:timers/promises';

/** In milliseconds. Shorter than database timeouts, because health probes must answer quickly. */
const timeout = 2_000;

/**
 * Returns the result, or undefined if the read fails or times out. It never rejects, because a health check must report
 * a failure instead of failing.
 */
export async function inTime<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  const abort = new AbortController();
  const late = setTimeout(timeout, undefined, { signal: abort.signal }).catch(() => undefined);
  try {
    return await Promise.race([read().catch(() => undefined), late]);
  } finally {
    abort.abort();
  }
}
