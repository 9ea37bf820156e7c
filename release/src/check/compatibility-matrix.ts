import type { ReleaseContent } from '@countersign/contracts/release-document';
import { referencedVersions } from '@countersign/contracts/release-versions';
import type { RemoteName } from '@countersign/contracts/remotes';
import type { ReleaseStore } from '../store/release-store.ts';

/** A version of a remote together with a version of the shell: one cell of the compatibility matrix. */
export interface VersionPair {
  readonly shell: string;
  readonly part: RemoteName;
  readonly version: string;
}

/** Every remote version that a visitor may get, each with the shell of the same release. */
export function versionPairs(content: ReleaseContent): readonly VersionPair[] {
  return referencedVersions(content).flatMap(({ part, version }) =>
    part === 'shell' ? [] : [{ shell: content.shell.version, part, version }],
  );
}

const matrixKey = ({ shell, part, version }: VersionPair) => `checks/shell-${shell}/${part}-${version}.json`;

/** The pairs of a release that are neither live together nor have passed the check together. */
export async function uncheckedPairs(
  store: ReleaseStore,
  next: ReleaseContent,
  live: ReleaseContent | undefined,
): Promise<readonly VersionPair[]> {
  const liveTogether = new Set(live ? versionPairs(live).map(matrixKey) : []);
  const pairs = versionPairs(next).filter((pair) => !liveTogether.has(matrixKey(pair)));
  const known = await Promise.all(pairs.map((pair) => store.objects.read(matrixKey(pair))));
  return pairs.filter((_pair, index) => known[index] === undefined);
}

/** Records that pairs have passed. They are never checked again, because published versions are immutable. */
export async function recordCheckedPairs(store: ReleaseStore, pairs: readonly VersionPair[]): Promise<void> {
  const passed = new TextEncoder().encode(`${JSON.stringify({ passedAt: new Date().toISOString() })}\n`);
  for (const pair of pairs) await store.objects.create(matrixKey(pair), passed);
}
