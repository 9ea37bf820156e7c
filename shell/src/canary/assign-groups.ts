// blind spot: journeys have no canary, but the tests of this file do.
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { remoteNames, type PartName, type RemoteName } from '@countersign/contracts/remotes';
import type { CanaryGroup } from '@countersign/contracts/page-report';
import { chooseGroup, isRequested } from './choose-group.ts';

/**
 * Part → the group of this visitor. Has no entry for a part with a canary if the visitor has no ID (for the shell, no
 * cookie): such a visitor can only get the stable version, so these views must not be compared with those of the canary.
 */
export type GroupAssignment = Readonly<Partial<Record<PartName, CanaryGroup>>>;

/**
 * Decides which canaries a visitor gets.
 *
 * @param query of the page's address, which asks for a canary by `?variant=<part>@<version>`
 * @param visitorId called only if a part has a canary, because other visitors need no ID
 */
export function assignGroups(
  { shell, remotes }: ReleaseDocument,
  query: string,
  visitorId: () => string | undefined,
): GroupAssignment {
  const groupFor = (remote: RemoteName): CanaryGroup | undefined => {
    const canary = remotes[remote]?.canary;
    if (!canary) return 'stable';
    const { version, percent, together } = canary;
    if (isRequested(query, together ?? `${remote}@${version.version}`)) return 'canary';
    const id = visitorId();
    return id === undefined ? undefined : chooseGroup(id, together ?? remote, percent);
  };
  const assigned = Object.fromEntries(remoteNames.map((remote) => [remote, groupFor(remote)]));
  // The site server has chosen the page of the shell's group.
  const group = shell.canary ? shell.group : 'stable';
  return { ...(group && { shell: group }), ...assigned };
}

/** Whether the address asks for a canary of this release, as teams do to see it. */
export function requestsCanary({ shell, remotes }: ReleaseDocument, query: string): boolean {
  if (shell.canary && isRequested(query, `shell@${shell.canary.version}`)) return true;
  return remoteNames.some((remote) => {
    const version = remotes[remote]?.canary?.version.version;
    return version !== undefined && isRequested(query, `${remote}@${version}`);
  });
}

/** The canary versions that this visitor gets. */
export function canariesOf(
  { remotes }: ReleaseDocument,
  groups: GroupAssignment,
): { readonly remote: RemoteName; readonly version: string }[] {
  return remoteNames.flatMap((remote) => {
    const canary = remotes[remote]?.canary;
    return canary && groups[remote] === 'canary' ? [{ remote, version: canary.version.version }] : [];
  });
}
