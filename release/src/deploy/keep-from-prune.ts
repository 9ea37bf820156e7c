import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { Pages } from './flip/compose-pages.ts';
import type { NamedVersion } from './flip/named-versions.ts';
import { keepFromRemoval } from './store/planned-removal.ts';
import { pagePrefix, versionPrefix, type ReleaseStore } from './store/release-store.ts';

const afterKill = 'If it was killed, run prune again an hour later first.';

/**
 * Keeps versions from a `prune` that runs at the same time, and looks whether all of them are whole. Returns what is
 * wrong, in sentences.
 */
export async function keepVersions(
  store: ReleaseStore,
  versions: readonly NamedVersion[],
): Promise<readonly string[]> {
  const prefixes = versions.map(({ part, version }) => versionPrefix(part, version));
  const removed = await keepFromRemoval(store.objects, prefixes);
  const faults = versions.map(async ({ part, version }) => {
    const prefix = versionPrefix(part, version);
    if (removed.includes(prefix)) return removalSentence(part, version);
    const hashes = await store.hashesOf(part, version);
    if (!hashes) return `${part} ${version} is not published. Publish it, then promote it.`;
    const [missing] = await missingIn(store, prefix, Object.keys(hashes));
    return missing && `${part} ${version} has lost ${missing}. Publish it again.`;
  });
  return (await Promise.all(faults)).filter((fault) => fault !== undefined);
}

/** Why a version cannot be published or released while it is removed, and what to do. */
export function removalSentence(part: string, version: string): string {
  return `prune is removing ${part} ${version}. Publish it again when prune has ended. ${afterKill}`;
}

/**
 * Keeps the pages of a release from a `prune` that runs at the same time, and writes again what one before has removed of
 * them. Returns what is wrong, in sentences.
 */
export async function keepPages(
  store: ReleaseStore,
  release: ReleaseDocument,
  pages: Pages,
): Promise<readonly string[]> {
  const { releaseId } = release;
  const prefix = pagePrefix(releaseId);
  if ((await keepFromRemoval(store.objects, [prefix])).length > 0) {
    return [`prune is removing the pages of release ${releaseId}. Try again when it has ended. ${afterKill}`];
  }
  const [record, missing] = await Promise.all([
    store.readRelease(releaseId),
    missingIn(store, prefix, pages.keys()),
  ]);
  if (!record || missing.length > 0) await store.addRelease(release, pages);
  return [];
}

/** Names below a prefix for which there is no object. */
async function missingIn(
  store: ReleaseStore,
  prefix: string,
  names: Iterable<string>,
): Promise<readonly string[]> {
  const stored = new Set(await store.objects.list(prefix));
  return [...names].filter((name) => !stored.has(`${prefix}${name}`));
}
