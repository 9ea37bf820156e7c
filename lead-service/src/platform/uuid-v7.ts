import { randomUUID } from 'node:crypto';

let last = { milliseconds: 0, counter: 0 };

/**
 * Generates a UUID version 7 (RFC 9562): 48 bits of Unix time in milliseconds, a 12-bit counter within the millisecond,
 * 62 random bits. UUIDs of one process sort in order of creation.
 */
export function uuidV7(milliseconds: number): string {
  last = next(milliseconds);
  const time = last.milliseconds.toString(16).padStart(12, '0');
  const counter = last.counter.toString(16).padStart(3, '0');
  // The last 62 bits come from a version 4 UUID, because Node generates those in advance.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}${randomUUID().slice(18)}`;
}

/** If the clock goes back or the counter overflows, the timestamp runs ahead of the clock. */
function next(milliseconds: number): typeof last {
  if (milliseconds > last.milliseconds) return { milliseconds, counter: 0 };
  if (last.counter < 0xfff) return { ...last, counter: last.counter + 1 };
  return { milliseconds: last.milliseconds + 1, counter: 0 };
}
