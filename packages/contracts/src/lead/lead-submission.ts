// In a file of its own, because the form's code loads only the schema of the fields, in lead.ts.
import * as z from 'zod/mini';
import { partNames } from '../page/remotes.ts';
import { shownVersion, validEntries } from '../page-reports/page-report.ts';
import { honeypotField, leadTypes } from './lead-form.ts';
import { leadFields, removeUnstorable } from './lead.ts';

/** Optional text. An invalid value counts as missing, because the lead matters more than what comes with it. */
const optionalText = (maxLength: number) =>
  z.catch(
    z.optional(
      z.string().check(z.overwrite(removeUnstorable), z.trim(), z.minLength(1), z.maxLength(maxLength)),
    ),
    undefined,
  );

/** Number of versions that a page can show: the live, the previous and the canary version of each part. */
const maxParts = 3 * partNames.length;

/** Origin of a lead, if the page knows it. Invalid values never cause a rejection. */
export const leadAttribution = z.object({
  /** Path and query of the page with the form: `/?utm_source=letter`. */
  page: optionalText(2048),
  /** URL of the referring page. */
  referrer: optionalText(2048),
  utmSource: optionalText(200),
  utmMedium: optionalText(200),
  utmCampaign: optionalText(200),
  utmTerm: optionalText(200),
  utmContent: optionalText(200),
  /**
   * Page and referrer of the first page view of the visit, which the browser tab remembers. `landingPage` includes its query,
   * so also the campaign of that view.
   */
  landingPage: optionalText(2048),
  landingReferrer: optionalText(2048),
  /** `releaseId` of the page that the sender saw. */
  releaseId: optionalText(64),
  /** The versions that the page showed when the form was sent. */
  parts: z.catch(z.optional(validEntries(shownVersion, maxParts)), undefined),
  /** Text of the consent, verbatim, and its time (ISO 8601). */
  consentText: optionalText(2000),
  consentedAt: optionalText(40),
  /**
   * `clickIdentifiers` in the page's address. The service stores them only with `consentText` and `consentedAt`, and the form
   * must ask for a consent that covers them.
   */
  gclid: optionalText(500),
  gbraid: optionalText(500),
  wbraid: optionalText(500),
  fbclid: optionalText(500),
  msclkid: optionalText(500),
  li_fat_id: optionalText(500),
});
export type LeadAttribution = z.infer<typeof leadAttribution>;

/**
 * Metadata that the form sends with the fields. All of it is optional, because the browser can send the form
 * without JavaScript.
 */
const metadataFields = {
  attribution: z.catch(z.optional(leadAttribution), undefined),
  [honeypotField]: z.catch(z.optional(z.string()), undefined),
} as const;

/**
 * Body of `POST /api/{trial,demo,contact}`, as JSON. Unknown fields are ignored, such as `formToken` and `proof` of earlier
 * forms.
 */
export const leadSubmission = z.extend(leadFields, {
  submissionType: z.enum(leadTypes, 'submissionType must be trial, demo or contact'),
  ...metadataFields,
});
export type LeadSubmission = z.infer<typeof leadSubmission>;

/** Metadata of a submission, without the fields. */
export const submissionMetadata = z.object(metadataFields);
export type SubmissionMetadata = z.infer<typeof submissionMetadata>;
