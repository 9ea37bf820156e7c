import { pagePrefix, servedPrefix, type ReleaseStore } from './store/release-store.ts';
import { isSame, readFilesBelow } from './verify-files.ts';

const remedy = 'If no release is being made at this moment, promote what is live once more.';

/**
 * Compares what visitors get at the root of the site with the stored pages of the release that is live. Returns what is
 * wrong, in sentences.
 *
 * @param earlier releases that were live before, the latest first
 */
export async function verifyServedPages(
  store: ReleaseStore,
  releaseId: string,
  earlier: readonly string[],
): Promise<readonly string[]> {
  const [served, expected] = await Promise.all([
    readFilesBelow(store, servedPrefix),
    readFilesBelow(store, pagePrefix(releaseId)),
  ]);
  if (served.size === 0) return [`Visitors get no page, but release ${releaseId} is live. ${remedy}`];
  const names = [...new Set([...served.keys(), ...expected.keys()])].sort();
  const others = names.filter((name) => !isSame(served.get(name), expected.get(name)));
  if (others.length === 0) return [];

  // A release that was broken off leaves the pages of the one before, or some of them.
  const left = others.filter((name) => served.has(name));
  for (const before of earlier) {
    const old = await readFilesBelow(store, pagePrefix(before), left);
    if (left.every((name) => isSame(served.get(name), old.get(name)))) {
      return [`Visitors get pages of release ${before}, but ${releaseId} is live. ${remedy}`];
    }
  }
  return others.map((name) => `${servedPrefix}${name} is not that of release ${releaseId}. ${remedy}`);
}
