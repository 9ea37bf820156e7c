import { clickIdentifiers, withoutParameters } from '@countersign/contracts/click-identifiers';
import type { LeadAttribution } from '@countersign/contracts/lead-submission';

type ShownPart = NonNullable<LeadAttribution['parts']>[number];

/** Knows the versions that the live page names, and those that it named before. */
export interface KnownVersions {
  /** Reads the live page again if a version is unknown. */
  refreshFor(versions: readonly ShownPart[]): Promise<void>;
  /** The version if it is known, otherwise another word. */
  nameOf(version: ShownPart): string;
}

/** Fields that contain addresses of pages. */
const addresses = ['page', 'referrer', 'landingPage', 'landingReferrer'] as const;

/**
 * The part of an attribution that the service stores: known versions, and click identifiers only with a consent. Never
 * rejects.
 */
export async function storableAttribution(
  { parts = [], ...sent }: LeadAttribution,
  versions: KnownVersions | undefined,
): Promise<LeadAttribution> {
  const attribution: LeadAttribution = sent;
  for (const name of addresses) {
    const address = attribution[name];
    if (address !== undefined) attribution[name] = withoutParameters(address, clickIdentifiers);
  }
  if (attribution.consentText === undefined || attribution.consentedAt === undefined) {
    for (const name of clickIdentifiers) attribution[name] = undefined;
  }
  await versions?.refreshFor(parts);
  const known = parts.filter((shown) => versions?.nameOf(shown) === shown.version);
  return known.length > 0 ? { ...attribution, parts: known } : attribution;
}
