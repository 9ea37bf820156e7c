import { randomUUID } from 'node:crypto';

let last = { milliseconds: 0, counter: 0 };

/**
 * A UUID of version 7 (RFC 9562): 48 bits of Unix time in milliseconds, 12 bits that count within the millisecond, 62
 * random bits. Those of one process sort in the order in which they were made.
 */
export function uuidV7(milliseconds: number): string {
  last = next(milliseconds);
  const time = last.milliseconds.toString(16).padStart(12, '0');
  const counter = last.counter.toString(16).padStart(3, '0');
  // A random UUID ends like one of version 7, and Node makes them in advance.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}${randomUUID().slice(18)}`;
}

/** A clock that goes back, or a counter that is full, borrows from the time to come. */
function next(milliseconds: number): typeof last {
  if (milliseconds > last.milliseconds) return { milliseconds, counter: 0 };
  if (last.counter < 0xfff) return { ...last, counter: last.counter + 1 };
  return { milliseconds: last.milliseconds + 1, counter: 0 };
}
