import type { ObjectStore } from '../store/object-store.ts';

/** A call of a store: the method and its first argument. */
export interface StoreCall {
  readonly method: string;
  readonly key: string;
}

/** Whether a call replaces the live state. */
export const isCommit = ({ method, key }: StoreCall) => method === 'replace' && key === 'live.json';

/** Passes all calls of a store to `handle`, which forwards them, acts before or after, or fails in place of the store. */
export function intercept(
  store: ObjectStore,
  handle: (call: StoreCall, forward: () => Promise<unknown>) => Promise<unknown>,
): ObjectStore {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: readonly unknown[]): Promise<unknown> =>
        handle({ method: String(name), key: String(given[0]) }, async () =>
          Reflect.apply(value, target, given),
        );
    },
  });
}

/**
 * Forwards all calls to a store. Awaits `meanwhile` before the n-th counted call, starting at 1.
 *
 * @param counts whether a call is counted; by default all are
 */
export function interleave(
  store: ObjectStore,
  n: number,
  meanwhile: () => Promise<void>,
  counts: (call: StoreCall) => boolean = () => true,
) {
  let calls = 0;
  const objects = intercept(store, async (call, forward) => {
    if (counts(call)) {
      calls += 1;
      if (calls === n) await meanwhile();
    }
    return forward();
  });
  return { objects, /** Whether that call happened. */ reached: () => calls >= n };
}
