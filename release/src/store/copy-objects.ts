import { ReleaseError } from './release-error.ts';
import type { ObjectStore } from './object-store.ts';

/** Objects that are copied at the same time. */
const concurrency = 16;

/**
 * Copies immutable objects. Those that are gone meanwhile are left out. Throws a {@link ReleaseError} for a key that would lead out of a
 * folder, which a bucket may have.
 */
export async function copyObjects(
  from: ObjectStore,
  to: ObjectStore,
  keys: readonly string[],
): Promise<void> {
  // Empty names occur: the name of a dictionary may begin with a slash.
  const unsafe = keys.find((key) => key.split('/').some((name) => ['.', '..'].includes(name)));
  if (unsafe !== undefined) {
    throw new ReleaseError(`${from.displayName} has the object "${unsafe}", which is no path. Remove it.`);
  }
  const remaining = keys.values();
  const copyNext = async () => {
    // All of these loops share the iterator.
    for (const key of remaining) {
      const found = await from.read(key);
      if (found) await to.create(key, found.bytes);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, copyNext));
}
