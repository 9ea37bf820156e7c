import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { remoteNames, type RemoteName } from '@countersign/contracts/remotes';
import type { CanaryGroup } from '@countersign/contracts/telemetry';
import { chooseVariant } from './choose-variant.ts';

/** Remote → the variant that this visitor gets. */
export type VariantAssignment = Readonly<Record<RemoteName, CanaryGroup>>;

/**
 * Decides which canaries a visitor gets.
 *
 * @param visitorId called only if a part has a canary, because other visitors need no ID
 */
export function assignVariants(
  { remotes }: ReleaseDocument,
  visitorId: () => string | undefined,
): VariantAssignment {
  const variantFor = (remote: RemoteName): CanaryGroup => {
    const percent = remotes[remote]?.canary?.percent;
    return percent === undefined ? 'stable' : chooseVariant(visitorId(), remote, percent);
  };
  return Object.fromEntries(remoteNames.map((remote) => [remote, variantFor(remote)])) as VariantAssignment;
}

/**
 * Remotes with a canary, for visitors who can be in it. Visitors without an ID are left out, because they
 * always get the stable version and would lower the canary's share of views.
 */
export function comparedRemotes(
  { remotes }: ReleaseDocument,
  visitorId: () => string | undefined,
): ReadonlySet<RemoteName> {
  const withCanary = remoteNames.filter((remote) => remotes[remote]?.canary);
  return new Set(withCanary.length > 0 && visitorId() !== undefined ? withCanary : []);
}

/**
 * The groups that figures compare. Without those of remotes with a canary for visitors who cannot be in it: they would add to
 * the leads of the stable version only.
 */
export function comparedGroups(
  { remotes }: ReleaseDocument,
  variants: VariantAssignment,
  compared: ReadonlySet<RemoteName>,
): Partial<VariantAssignment> {
  const known = remoteNames.filter((remote) => !remotes[remote]?.canary || compared.has(remote));
  return Object.fromEntries(known.map((remote) => [remote, variants[remote]]));
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
