import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { ReferencedVersion } from '@countersign/contracts/release-versions';
import type { Pages } from '../page/compose-pages.ts';
import { keepFromRemoval } from '../store/planned-removal.ts';
import { pagePrefix, versionPrefix, type ReleaseStore } from '../store/release-store.ts';

/** For messages that ask to wait for `prune`. */
const afterKill = 'If it was killed, run prune again an hour later first.';

/**
 * Protects versions from a concurrent `prune`, and checks that all their files are in the store. Returns error messages.
 */
export async function keepVersions(
  store: ReleaseStore,
  versions: readonly ReferencedVersion[],
): Promise<readonly string[]> {
  const prefixes = versions.map(({ part, version }) => versionPrefix(part, version));
  const removed = await keepFromRemoval(store.objects, prefixes);
  const errors = versions.map(async ({ part, version }) => {
    const prefix = versionPrefix(part, version);
    if (removed.includes(prefix)) return removalMessage(part, version);
    const hashes = await store.hashesOf(part, version);
    if (!hashes) return `${part} ${version} is not published. Publish it, then promote it.`;
    const [missing] = await missingIn(store, prefix, Object.keys(hashes));
    return missing && `${part} ${version} has lost ${missing}. Publish it again.`;
  });
  return (await Promise.all(errors)).filter((error) => error !== undefined);
}

export function removalMessage(part: string, version: string): string {
  return `prune is removing ${part} ${version}. Publish it again after prune has finished. ${afterKill}`;
}

/**
 * Protects the pages of a release from a concurrent `prune`, and restores files that an earlier one removed. Returns error
 * messages.
 */
export async function keepPages(
  store: ReleaseStore,
  release: ReleaseDocument,
  pages: Pages,
): Promise<readonly string[]> {
  const { releaseId } = release;
  const prefix = pagePrefix(releaseId);
  if ((await keepFromRemoval(store.objects, [prefix])).length > 0) {
    return [
      `prune is removing the pages of release ${releaseId}. Try again after it has finished. ${afterKill}`,
    ];
  }
  const [record, missing] = await Promise.all([
    store.readRelease(releaseId),
    missingIn(store, prefix, pages.keys()),
  ]);
  if (!record || missing.length > 0) await store.addRelease(release, pages);
  return [];
}

/** Names below a prefix without an object. */
async function missingIn(
  store: ReleaseStore,
  prefix: string,
  names: Iterable<string>,
): Promise<readonly string[]> {
  const stored = new Set(await store.objects.list(prefix));
  return [...names].filter((name) => !stored.has(`${prefix}${name}`));
}
