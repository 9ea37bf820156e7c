import { ReleaseError } from '../platform/release-error.ts';
import type { ObjectStore } from './object-store.ts';
import { liveKey, NothingIsLive, type LiveState, type ReleaseStore } from './release-store.ts';
import { servePages } from './serve-pages.ts';

/** Objects that are copied at the same time. */
const concurrency = 16;

/** Keys that a store writes for its own live state, head of the log, board and work in progress. */
const ownKey = /^(?:current(?:\/|$)|live\.json|(?:staging|removals|board|heads)\/)/;

/**
 * Copies a store into an empty one, or into an earlier copy of it, and serves the live release there. Copies what is missing, so
 * that a copy that was interrupted goes on. The live state comes last: until then, the target shows what it did before. Throws a
 * {@link ReleaseError} if the target has releases of its own.
 *
 * @param progress called after each object
 * @returns number of objects that were copied
 */
export async function copyStore(
  from: ReleaseStore,
  to: ReleaseStore,
  progress: (copied: number, missing: number) => void,
): Promise<number> {
  let total = 0;
  for (;;) {
    const live = await from.objects.read(liveKey);
    if (!live) throw new NothingIsLive();
    const target = await to.readLive();
    await assertCopyOf(from, to, target);
    const there = new Set(await to.objects.list(''));
    const missing = (await from.objects.list('')).filter((key) => !ownKey.test(key) && !there.has(key));
    let copied = 0;
    await copyObjects(from.objects, to.objects, missing, () => progress((copied += 1), missing.length));
    total += copied;
    // A release during the copy brings more objects.
    if ((await from.objects.read(liveKey))?.tag !== live.tag) continue;
    if ((await to.objects.replace(liveKey, live.bytes, target?.tag)) === 'changed') continue;
    await servePages(to);
    return total;
  }
}

/** Throws a {@link ReleaseError} if the target has a live state that the source never had, or has none but other objects. */
async function assertCopyOf(
  from: ReleaseStore,
  to: ReleaseStore,
  target: LiveState | undefined,
): Promise<void> {
  const isCopy = target
    ? (await from.history()).some(({ hash }) => hash === target.entry.hash)
    : await isInterruptedCopy(from.objects, to.objects);
  if (isCopy) return;
  throw new ReleaseError(
    `${to.objects.displayName} has releases that ${from.objects.displayName} does not have. Choose an empty store, or an earlier copy.`,
  );
}

/** Whether a store without a live state has nothing but objects of the source. Claims stand for the content of versions. */
async function isInterruptedCopy(from: ObjectStore, to: ObjectStore): Promise<boolean> {
  const known = new Set(await from.list(''));
  const there = (await to.list('')).filter((key) => !ownKey.test(key));
  if (!there.every((key) => known.has(key))) return false;
  const claims = there.filter((key) => key.startsWith('claims/'));
  const areEqual = await Promise.all(
    claims.map(async (key) => {
      const [own, other] = await Promise.all([from.read(key), to.read(key)]);
      return own && other && Buffer.compare(own.bytes, other.bytes) === 0;
    }),
  );
  return areEqual.every(Boolean);
}

/**
 * Copies immutable objects. Those that are gone meanwhile are left out. Throws a {@link ReleaseError} for a key that would lead out of a
 * folder, which a bucket may have.
 */
export async function copyObjects(
  from: ObjectStore,
  to: ObjectStore,
  keys: readonly string[],
  onCopied: () => void = () => undefined,
): Promise<void> {
  const unsafe = keys.find((key) => key.split('/').some((name) => ['', '.', '..'].includes(name)));
  if (unsafe !== undefined) {
    throw new ReleaseError(`${from.displayName} has the object "${unsafe}", which is no path. Remove it.`);
  }
  const remaining = keys.values();
  const copyNext = async () => {
    // All of these loops share the iterator.
    for (const key of remaining) {
      const found = await from.read(key);
      if (found) await to.create(key, found.bytes);
      onCopied();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, copyNext));
}
