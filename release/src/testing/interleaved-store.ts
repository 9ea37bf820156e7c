import type { ObjectStore } from '../store/object-store.ts';

/** A call of a store: the method and its first argument. */
export interface StoreCall {
  readonly method: string;
  readonly key: string;
}

/** A store in which something else happens right before one of the calls. */
export interface InterleavedStore {
  readonly objects: ObjectStore;
  /** Whether there was such a call. */
  readonly reached: () => boolean;
}

/**
 * Passes all calls on to a store, and runs `meanwhile` to its end before the n-th call that counts, from 1.
 *
 * @param counts which calls count; by default all of them
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
