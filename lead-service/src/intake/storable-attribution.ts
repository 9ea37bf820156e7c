import {
  clickIdentifiers,
  removedParameters,
  withoutParameters,
} from '@countersign/contracts/click-identifiers';
import { pageName } from '@countersign/contracts/page-reports';
import type { LeadAttribution } from '@countersign/contracts/lead-submission';

/** A version of a part, or of the page. */
interface PartVersion {
  readonly part: string;
  readonly version: string;
}

/** Knows the versions that the live page names, and those that it named before. */
export interface KnownVersions {
  /** Reads the live page again if a version is unknown. `undefined` if there is nothing to wait for. */
  refreshFor(versions: readonly PartVersion[]): Promise<void> | undefined;
  /** The version if it is known, otherwise another word. */
  nameOf(version: PartVersion): string;
}

/** How long a lead waits for the versions of the live page, in milliseconds. */
const patience = 300;

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
    if (address !== undefined) attribution[name] = withoutParameters(address, removedParameters);
  }
  if (attribution.consentText === undefined || attribution.consentedAt === undefined) {
    // Only those that are there: six more properties make the object, and so each lead, much slower.
    for (const name of clickIdentifiers) if (attribution[name] !== undefined) attribution[name] = undefined;
  }
  const { releaseId } = attribution;
  const release = releaseId === undefined ? [] : [{ part: pageName, version: releaseId }];
  const named = [...release, ...parts];
  if (!versions || named.length === 0) return attribution;
  const reading = versions.refreshFor(named);
  if (reading) await endedOrLate(reading);
  const known = parts.filter((shown) => versions.nameOf(shown) === shown.version);
  return known.length > 0 ? { ...attribution, parts: known } : attribution;
}

/**
 * A lead does not wait for a page that does not answer: it then keeps the versions that are known. The timer ends with the wait, because
 * one for each lead would keep thousands of leads in memory.
 */
function endedOrLate(reading: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patience).unref();
    void reading.finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
