import * as z from 'zod/mini';
import { partNames } from '../page/remotes.ts';
import { shownPart } from '../telemetry/telemetry.ts';
import { honeypotField, leadTypes } from './lead-form.ts';
import { leadFields, removeUnstorable } from './lead.ts';

// Apart from the fields, because the code of the form needs only their schema.

/** Optional text. An invalid value is dropped instead of rejected, because the lead matters more than its origin. */
const optionalHint = (maxLength: number) =>
  z.catch(
    z.optional(
      z.string().check(z.overwrite(removeUnstorable), z.trim(), z.minLength(1), z.maxLength(maxLength)),
    ),
    undefined,
  );

/** Number of versions that a page can show: the live, the previous and the canary version of each part. */
const maxParts = 3 * partNames.length;

/** Drops malformed entries, such as a part that this version does not know, and those that no page can have. */
const shownParts = z.pipe(
  z.transform((sent: unknown) =>
    Array.isArray(sent)
      ? sent.slice(0, maxParts).filter((entry) => z.safeParse(shownPart, entry).success)
      : sent,
  ),
  z.array(shownPart),
);

/** Origin of a lead, if the page knows it. Invalid values never cause a rejection. */
export const leadAttribution = z.object({
  /** Path and query of the page with the form: `/?utm_source=letter`. */
  page: optionalHint(2048),
  /** URL of the referring page. */
  referrer: optionalHint(2048),
  utmSource: optionalHint(200),
  utmMedium: optionalHint(200),
  utmCampaign: optionalHint(200),
  utmTerm: optionalHint(200),
  utmContent: optionalHint(200),
  /**
   * Page and referrer of the first page view of the visit, which the browser tab remembers. The page contains its campaign
   * parameters.
   */
  landingPage: optionalHint(2048),
  landingReferrer: optionalHint(2048),
  /** `releaseId` of the page that the sender saw. */
  releaseId: optionalHint(64),
  /** The versions that the page showed when the form was sent. */
  parts: z.catch(z.optional(shownParts), undefined),
  /** Text of the consent, verbatim, and its time (ISO 8601). */
  consentText: optionalHint(2000),
  consentedAt: optionalHint(40),
  /** `clickIdentifiers` of the page's address. The service stores them only with a consent, whose text must cover them. */
  gclid: optionalHint(500),
  gbraid: optionalHint(500),
  wbraid: optionalHint(500),
  fbclid: optionalHint(500),
  msclkid: optionalHint(500),
  li_fat_id: optionalHint(500),
});
export type LeadAttribution = z.infer<typeof leadAttribution>;

/**
 * Metadata that the form sends with the fields. All of it is optional, because the browser can send the form
 * without JavaScript.
 */
const metadataFields = {
  attribution: z.catch(z.optional(leadAttribution), undefined),
  /** Token from `GET /api/form-token`. It proves when the form was opened. */
  formToken: optionalHint(1024),
  /** Solution of the token's proof-of-work challenge, if it has one. */
  proof: optionalHint(4096),
  [honeypotField]: z.catch(z.optional(z.string().check(z.maxLength(4096))), undefined),
} as const;

/** Body of `POST /api/{trial,demo,contact}`, as JSON. Unknown fields are ignored. */
export const leadSubmission = z.extend(leadFields, {
  submissionType: z.enum(leadTypes, 'submissionType must be trial, demo or contact'),
  ...metadataFields,
});
export type LeadSubmission = z.infer<typeof leadSubmission>;

/** Metadata of a submission, without the fields. */
export const requestMetadata = z.object(metadataFields);
export type RequestMetadata = z.infer<typeof requestMetadata>;
