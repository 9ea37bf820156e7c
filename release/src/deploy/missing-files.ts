import type { ReferencedVersion } from '@countersign/contracts/release-versions';
import { versionPrefix, type ReleaseStore } from '../store/release-store.ts';

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
