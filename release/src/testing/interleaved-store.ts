import type { ObjectStore } from '../store/object-store.ts';

/** A call of a store: the method and its first argument. */
export interface StoreCall {
  readonly method: string;
  readonly key: string;
}

/** A store that runs a callback immediately before one of its calls. */
export interface InterleavedStore {
  readonly objects: ObjectStore;
  /** Whether that call happened. */
  readonly reached: () => boolean;
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
): InterleavedStore {
  let calls = 0;
  const objects = new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...words: readonly unknown[]): Promise<unknown> => {
        if (counts({ method: String(name), key: String(words[0]) })) {
          calls += 1;
          if (calls === n) await meanwhile();
        }
        return Reflect.apply(value, target, words);
      };
    },
  });
  return { objects, reached: () => calls >= n };
}
