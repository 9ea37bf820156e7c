import { setTimeout } from 'node:timers/promises';

/** Milliseconds. A probe gives up sooner than a database does. */
const patience = 2_000;

/** What could be read in time. A failure is an answer as well: the service is asked whether it works. */
export async function inTime<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  const abort = new AbortController();
  const late = setTimeout(patience, undefined, { signal: abort.signal }).catch(() => undefined);
  try {
    return await Promise.race([read().catch(() => undefined), late]);
  } finally {
    abort.abort();
  }
}
