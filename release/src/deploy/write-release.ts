import type { ReferencedVersion } from '@countersign/contracts/release-versions';
import { ReleaseError } from '../platform/release-error.ts';
import { writeDeltas } from '../deltas/write-deltas.ts';
import { newlyReferencedVersions } from '../store/referenced-versions.ts';
import type { LiveState, ReleaseStore } from '../store/release-store.ts';
import { keepPages, keepVersions } from './keep-from-prune.ts';
import type { NextState } from './next-state.ts';

/**
 * Writes the files of a release, and protects them and its versions from a concurrent `prune`. Throws a
 * {@link ReleaseError} if `prune` is removing something of it.
 */
export async function writeRelease(
  store: ReleaseStore,
  live: LiveState | undefined,
  { release, pages }: NextState,
): Promise<void> {
  throwIfAny(await keepVersions(store, newVersions(live, release)));
  await store.addRelease(release, pages);
  throwIfAny(await keepPages(store, release, pages));
  await writeDeltas(store, live, release, pages);
}

/** Messages about what `prune` has removed since {@link writeRelease}. */
export async function lostSince(
  store: ReleaseStore,
  live: LiveState | undefined,
  { release, pages }: NextState,
): Promise<readonly string[]> {
  const versions = await keepVersions(store, newVersions(live, release));
  return [...versions, ...(await keepPages(store, release, pages))];
}

function newVersions(
  live: LiveState | undefined,
  release: NextState['release'],
): readonly ReferencedVersion[] {
  return newlyReferencedVersions(live?.release, release);
}

function throwIfAny(messages: readonly string[]): void {
  if (messages.length > 0) throw new ReleaseError([...messages, 'Nothing was changed.'].join('\n'));
}
