import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';

/** Milliseconds for which tests wait. */
export const deadline = 30_000;

/**
 * Polls a value until it is accepted, and returns it. Fails after 30 seconds with the last value.
 *
 * @param isAccepted by default, a value is accepted if it is truthy
 */
export async function until<Value>(
  read: () => Promise<Value> | Value,
  isAccepted: (value: Value) => boolean = Boolean,
): Promise<Value> {
  const end = performance.now() + deadline;
  for (;;) {
    const value = await read();
    if (isAccepted(value)) return value;
    if (performance.now() > end) {
      const condition = isAccepted === Boolean ? read : isAccepted;
      throw new Error(`After ${deadline / 1000} s, ${String(condition)} does not accept: ${inspect(value)}`);
    }
    await setTimeout(20);
  }
}

/** Polls a list until it has at least this length, and returns it. */
export function untilLength<List extends { readonly length: number }>(
  read: () => Promise<List> | List,
  min: number,
): Promise<List> {
  return until(read, ({ length }) => length >= min);
}
