import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { remoteNames, type RemoteName } from '@countersign/contracts/remotes';
import type { CanaryGroup } from '@countersign/contracts/telemetry';
import { chooseGroup } from './choose-group.ts';

/** Remote → the group that this visitor is in. */
export type Groups = Readonly<Record<RemoteName, CanaryGroup>>;

/**
 * Decides which canaries a visitor gets.
 *
 * @param visitorId is asked only where there is a canary: who is in none needs no name
 */
export function groupsOf({ remotes }: ReleaseDocument, visitorId: () => string | undefined): Groups {
  const groupOf = (remote: RemoteName): CanaryGroup => {
    const percent = remotes[remote]?.canary?.percent;
    return percent === undefined ? 'stable' : chooseGroup(visitorId(), remote, percent);
  };
  return Object.fromEntries(remoteNames.map((remote) => [remote, groupOf(remote)])) as Groups;
}

/**
 * Remotes in whose comparison of canary and stable version this visitor takes part. Without a name a visitor is in no canary
 * whatever its percentage, and would make the share of canaries look too small.
 */
export function comparedRemotes(
  { remotes }: ReleaseDocument,
  visitorId: () => string | undefined,
): ReadonlySet<RemoteName> {
  const withCanary = remoteNames.filter((remote) => remotes[remote]?.canary);
  return new Set(withCanary.length > 0 && visitorId() !== undefined ? withCanary : []);
}

/** The canaries that a visitor in these groups gets. */
export function canariesOf(
  { remotes }: ReleaseDocument,
  groups: Groups,
): { readonly remote: RemoteName; readonly version: string }[] {
  return remoteNames.flatMap((remote) => {
    const canary = remotes[remote]?.canary;
    return canary && groups[remote] === 'canary' ? [{ remote, version: canary.version.version }] : [];
  });
}
