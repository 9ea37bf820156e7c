import { checkFragment } from '@countersign/contracts/check-fragment';
import type { PartManifest } from '@countersign/contracts/part-manifest';
import { remoteNames } from '@countersign/contracts/remotes';
import { ReleaseFault } from './release-fault.ts';

/**
 * Refuses a build whose fragments are missing or could harm the page. Throws a {@link ReleaseFault} that lists every
 * violation with its file, line and column.
 *
 * @param files path in the build → content
 */
export function assertHarmlessFragments(
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
    throw new ReleaseFault(`${name} ${version} cannot be published:\n${violations.join('\n')}`);
}
