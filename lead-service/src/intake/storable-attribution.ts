import { clickIdentifiers, removedParameters, withoutParameters } from '@countersign/contracts/lead-form';
import { pageName } from '@countersign/contracts/page-report';
import type { LeadAttribution } from '@countersign/contracts/lead-submission';

/** A version of a part, or of the page. */
export interface PartVersion {
  readonly part: string;
  readonly version: string;
}

/** The versions that the live page (`LIVE_PAGE`) names, and those that it named before. */
export interface KnownVersions {
  /** Reads the live page again if a version is unknown, at most once per second. `undefined` if there is nothing to wait for. Never rejects. */
  refreshFor(versions: readonly PartVersion[]): Promise<void> | undefined;
  has(version: PartVersion): boolean;
}

/** How long a lead waits for the versions of the live page, in milliseconds. */
const timeout = 300;

/** Fields that contain addresses of pages. */
const addressFields = ['page', 'referrer', 'landingPage', 'landingReferrer'] as const;

/**
 * The part of an attribution that the service stores: addresses without {@link removedParameters}, known versions of parts,
 * and click identifiers only with a consent. Never rejects.
 */
export async function storableAttribution(
  { parts = [], ...sent }: LeadAttribution,
  versions: KnownVersions,
): Promise<LeadAttribution> {
  const attribution: LeadAttribution = sent;
  for (const name of addressFields) {
    const address = attribution[name];
    if (address !== undefined) attribution[name] = withoutParameters(address, removedParameters);
  }
  if (attribution.consentText === undefined || attribution.consentedAt === undefined) {
    // Sets only those that are there, because six more properties make the object, and so each lead, much slower.
    for (const name of clickIdentifiers) if (attribution[name] !== undefined) attribution[name] = undefined;
  }
  // The release is stored even if it is unknown. The refresh looks for it, too, so that the metrics of this lead know it.
  const { releaseId } = attribution;
  const release = releaseId === undefined ? [] : [{ part: pageName, version: releaseId }];
  const sentVersions = [...release, ...parts];
  if (sentVersions.length === 0) return attribution;
  const refresh = versions.refreshFor(sentVersions);
  if (refresh) await endOrTimeout(refresh);
  const known = parts.filter((shown) => versions.has(shown));
  return known.length > 0 ? { ...attribution, parts: known } : attribution;
}

/**
 * Resolves at the end of a refresh, or at the timeout: the lead then keeps the versions that are known. Clears the timer at the
 * end, because pending timers would keep thousands of leads in memory.
 */
function endOrTimeout(refresh: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeout).unref();
    void refresh.finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
