import { clickIdentifiers, removedParameters, withoutParameters } from '@countersign/contracts/lead-form';
import type { LeadAttribution } from '@countersign/contracts/lead-submission';

/** Fields that contain addresses of pages. */
const addressFields = ['page', 'referrer', 'landingPage', 'landingReferrer'] as const;

/**
 * The part of an attribution that the service stores: addresses without {@link removedParameters}, and click identifiers only with a
 * consent. The versions stay as the page sent them. Whether it showed them is judged when the lead is counted.
 */
export function storableAttribution(sent: LeadAttribution): LeadAttribution {
  const attribution = { ...sent };
  for (const name of addressFields) {
    const address = attribution[name];
    if (address !== undefined) attribution[name] = withoutParameters(address, removedParameters);
  }
  if (attribution.consentText === undefined || attribution.consentedAt === undefined) {
    // Sets only those that are there, because six more properties make the object, and so each lead, much slower.
    for (const name of clickIdentifiers) if (attribution[name] !== undefined) attribution[name] = undefined;
  }
  if (attribution.parts?.length === 0) attribution.parts = undefined;
  return attribution;
}
