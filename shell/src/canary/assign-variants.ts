import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { remoteNames, type RemoteName } from '@countersign/contracts/remotes';
import type { CanaryGroup } from '@countersign/contracts/page-report';
import { chooseVariant, isRequested } from './choose-variant.ts';

/**
 * Remote → the variant that this visitor gets. Has no entry for a remote with a canary if the visitor has no ID: such a visitor
 * can only get the stable version, so views without ID must not be compared with those of the canary.
 */
export type VariantAssignment = Readonly<Partial<Record<RemoteName, CanaryGroup>>>;

/**
 * Decides which canaries a visitor gets.
 *
 * @param query of the page's address, which asks for a canary by `?variant=<part>@<version>`
 * @param visitorId called only if a part has a canary, because other visitors need no ID
 */
export function assignVariants(
  { remotes }: ReleaseDocument,
  query: string,
  visitorId: () => string | undefined,
): VariantAssignment {
  const variantFor = (remote: RemoteName): CanaryGroup | undefined => {
    const canary = remotes[remote]?.canary;
    if (!canary) return 'stable';
    if (isRequested(query, remote, canary.version.version)) return 'canary';
    const id = visitorId();
    return id === undefined ? undefined : chooseVariant(id, remote, canary.percent);
  };
  return Object.fromEntries(remoteNames.map((remote) => [remote, variantFor(remote)]));
}

/** Whether the address asks for a canary of this release, as teams do to see it. */
export function requestsCanary({ remotes }: ReleaseDocument, query: string): boolean {
  return remoteNames.some((remote) => {
    const version = remotes[remote]?.canary?.version.version;
    return version !== undefined && isRequested(query, remote, version);
  });
}

/** The canary versions that this visitor gets. */
export function canariesOf(
  { remotes }: ReleaseDocument,
  variants: VariantAssignment,
): { readonly remote: RemoteName; readonly version: string }[] {
  return remoteNames.flatMap((remote) => {
    const canary = remotes[remote]?.canary;
    return canary && variants[remote] === 'canary' ? [{ remote, version: canary.version.version }] : [];
  });
}
