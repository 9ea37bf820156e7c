import { pagePrefix, servedPrefix, type ReleaseStore } from '../store/release-store.ts';
import { equalBytes, readFilesBelow } from './verify-files.ts';

const remedy = 'If no release is running now, promote the live version again.';

/**
 * Compares the files served at the root of the site with the stored pages of the live release. Returns error messages.
 *
 * @param earlier releases that were live before, latest first
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
  const others = names.filter((name) => !equalBytes(served.get(name), expected.get(name)));
  if (others.length === 0) return [];

  // An interrupted release leaves all or some pages of the release before.
  const left = others.filter((name) => served.has(name));
  for (const before of earlier) {
    const old = await readFilesBelow(store, pagePrefix(before), left);
    if (left.every((name) => equalBytes(served.get(name), old.get(name)))) {
      return [`Visitors get pages of release ${before}, but ${releaseId} is live. ${remedy}`];
    }
  }
  return others.map((name) => `${servedPrefix}${name} is not that of release ${releaseId}. ${remedy}`);
}
