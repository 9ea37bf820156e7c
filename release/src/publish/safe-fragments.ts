import { checkFragment } from '@countersign/contracts/check-fragment';
import type { PartManifest } from '@countersign/contracts/part-manifest';
import { remoteNames } from '@countersign/contracts/remotes';
import { ReleaseError } from '../platform/release-error.ts';

/**
 * Throws a {@link ReleaseError} if fragments of a build are missing, or contain markup that could harm the page. Lists every
 * violation with file, line and column.
 *
 * @param files path in the build → content
 */
export function assertSafeFragments(
  { name, version, exposes, fragments = {} }: PartManifest,
  files: ReadonlyMap<string, Uint8Array>,
): void {
  const remote = remoteNames.find((known) => known === name);
  const violations = Object.entries(fragments).flatMap(([exposed, file]) => {
    if (!remote || !Object.hasOwn(exposes, exposed))
      return [`${file} belongs to ${exposed}, which the part does not expose.`];
    const bytes = files.get(file);
    if (!bytes) return [`${file} is missing. Build the part again.`];
    const markup = new TextDecoder().decode(bytes);
    return checkFragment(markup, { remote, exposed }).map((violation) => `${file}: ${violation}`);
  });
  if (violations.length > 0)
    throw new ReleaseError(`${name} ${version} cannot be published:\n${violations.join('\n')}`);
}
