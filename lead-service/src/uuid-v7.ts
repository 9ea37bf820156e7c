import { randomBytes } from 'node:crypto';

let last = { milliseconds: 0, counter: 0 };

/**
 * A UUID of version 7 (RFC 9562): 48 bits of Unix time in milliseconds, 12 bits that count within the millisecond, 62
 * random bits. Those of one process sort in the order in which they were made.
 */
export function uuidV7(milliseconds: number): string {
  last = next(milliseconds);
  const bytes = randomBytes(16);
  bytes.writeUIntBE(last.milliseconds, 0, 6);
  bytes.writeUInt16BE(0x7000 | last.counter, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** A clock that goes back, or a counter that is full, borrows from the time to come. */
function next(milliseconds: number): typeof last {
  if (milliseconds > last.milliseconds) return { milliseconds, counter: 0 };
  if (last.counter < 0xfff) return { ...last, counter: last.counter + 1 };
  return { milliseconds: last.milliseconds + 1, counter: 0 };
}
