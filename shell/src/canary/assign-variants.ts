import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { remoteNames, type RemoteName } from '@countersign/contracts/remotes';
import type { CanaryGroup } from '@countersign/contracts/page-report';
import { chooseVariant, isRequested } from './choose-variant.ts';

/**
 * Remote → the variant that this visitor gets. A visitor without an ID always gets the stable version, and belongs to no group of
 * a remote with a canary: its views would count for the stable version only.
 */
export type VariantAssignment = Readonly<Partial<Record<RemoteName, CanaryGroup>>>;

/**
 * Decides which canaries a visitor gets.
 *
 * @param query of the page's address, which may ask for a canary
 * @param visitorId called only if a part has a canary, because other visitors need no ID
 */
export function assignVariants(
  { remotes }: ReleaseDocument,
  query: string,
  visitorId: () => string | undefined,
): VariantAssignment {
  const groupFor = (remote: RemoteName): CanaryGroup | undefined => {
    const canary = remotes[remote]?.canary;
    if (!canary) return 'stable';
    if (isRequested(query, remote, canary.version.version)) return 'canary';
    const id = visitorId();
    return id === undefined ? undefined : chooseVariant(id, remote, canary.percent);
  };
  return Object.fromEntries(remoteNames.map((remote) => [remote, groupFor(remote)]));
}

/** Whether the address asks for a canary of this release. Such a view is not that of a visitor. */
export function requestsCanary({ remotes }: ReleaseDocument, query: string): boolean {
  return remoteNames.some((remote) => {
    const version = remotes[remote]?.canary?.version.version;
    return version !== undefined && isRequested(query, remote, version);
  });
}

/** The canary versions that this assignment contains. */
export function canariesOf(
  { remotes }: ReleaseDocument,
  variants: VariantAssignment,
): { readonly remote: RemoteName; readonly version: string }[] {
  return remoteNames.flatMap((remote) => {
    const canary = remotes[remote]?.canary;
    return canary && variants[remote] === 'canary' ? [{ remote, version: canary.version.version }] : [];
  });
}
