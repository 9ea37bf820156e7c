import { checkFragment } from '@countersign/contracts/check-fragment';
import type { PartManifest } from '@countersign/contracts/part-manifest';
import { remoteNames } from '@countersign/contracts/remotes';
import { integrityOf } from '../platform/file-hash.ts';
import { ReleaseError } from '../platform/release-error.ts';

/** Remote, exposed key and hash of the fragments that this process has found safe, because it composes several pages of them. */
const safe = new Set<string>();

/**
 * Throws a {@link ReleaseError} if fragments of a version are missing, or contain markup that could harm the page. Lists every
 * violation with file, line and column. `publish` and the composer call it: the store may contain versions that another program
 * has stored.
 *
 * @param files path in the build → content
 * @param use what cannot be done with unsafe fragments, such as `be published`
 */
export function assertSafeFragments(
  manifest: PartManifest,
  files: ReadonlyMap<string, Uint8Array>,
  use: string,
): void {
  const violations = Object.keys(manifest.fragments ?? {}).flatMap((exposed) =>
    fragmentViolations(manifest, exposed, files),
  );
  if (violations.length > 0)
    throw new ReleaseError(`${manifest.name} ${manifest.version} cannot ${use}:\n${violations.join('\n')}`);
}

/** What could harm the page in the fragment of an exposed key, or that it is missing. Empty if the fragment is safe. */
export function fragmentViolations(
  { name, exposes, fragments = {} }: PartManifest,
  exposed: string,
  files: ReadonlyMap<string, Uint8Array>,
): readonly string[] {
  const remote = remoteNames.find((known) => known === name);
  const file = fragments[exposed];
  if (file === undefined) return [];
  if (!remote || !Object.hasOwn(exposes, exposed))
    return [`${file} belongs to ${exposed}, which the part does not expose.`];
  const bytes = files.get(file);
  if (!bytes) return [`${file} is missing. Build the part again.`];
  const key = `${remote} ${exposed} ${integrityOf(bytes)}`;
  if (safe.has(key)) return [];
  const found = checkFragment(new TextDecoder().decode(bytes), { remote, exposed });
  if (found.length === 0) safe.add(key);
  return found.map((violation) => `${file}: ${violation}`);
}
