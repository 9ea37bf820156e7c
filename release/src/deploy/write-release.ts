import type { ReferencedVersion } from '@countersign/contracts/release-versions';
import { writeDeltas } from '../page/write-deltas.ts';
import { ReleaseError } from '../store/release-error.ts';
import { newlyReferencedVersions } from '../store/referenced-versions.ts';
import { versionPrefix, type LiveState, type ReleaseStore } from '../store/release-store.ts';
import type { NextState } from './next-state.ts';

/** Writes the files of a release. Throws a {@link ReleaseError} if one of its new versions has lost a file. */
export async function writeRelease(
  store: ReleaseStore,
  live: LiveState | undefined,
  { release, pages }: NextState,
): Promise<void> {
  const errors = await missingFiles(store, newlyReferencedVersions(live?.release, release));
  if (errors.length > 0) throw new ReleaseError([...errors, 'Nothing was changed.'].join('\n'));
  await store.addRelease(release, pages);
  await writeDeltas(store, live, release);
}

/** Messages about versions that are not published, or have lost a file. */
export async function missingFiles(
  store: ReleaseStore,
  versions: readonly ReferencedVersion[],
): Promise<readonly string[]> {
  const errors = versions.map(async ({ part, version }) => {
    const prefix = versionPrefix(part, version);
    const hashes = await store.hashesOf(part, version);
    if (!hashes) return `${part} ${version} is not published. Publish it, then promote it.`;
    const stored = new Set(await store.objects.list(prefix));
    const missing = Object.keys(hashes).find((name) => !stored.has(`${prefix}${name}`));
    return missing && `${part} ${version} has lost ${missing}. Publish it again.`;
  });
  return (await Promise.all(errors)).filter((error) => error !== undefined);
}
