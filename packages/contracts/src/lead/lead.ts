import * as z from 'zod/mini';
import { partNames } from '../page/remotes.ts';
import { shownPart } from '../telemetry/telemetry.ts';
import { emailPattern, withAsciiDomain } from './email-address.ts';
import { leadPath, leadTypes, honeypotField, type LeadType } from './lead-form.ts';

export { leadPath, leadTypes, honeypotField, type LeadType };

const nameTooShort = 'Name must be at least 2 characters';
const emailInvalid = 'Please enter a valid email address';
/** Maximum length of an email address (RFC 5321). */
const maxEmailLength = 254;
const messageTooShort = 'Message must be at least 10 characters';

/**
 * Maximum lengths in characters (Unicode code points). A form tells them before it is sent. The service accepts bodies
 * that hold the longest fields in every encoding.
 */
export const maxLengths = { name: 200, company: 200, message: 5000 } as const;

const tooLong = (label: string, maxLength: number) =>
  `${label} must be at most ${maxLength.toLocaleString('en')} characters`;

/**
 * Text that every database can store: without NUL characters and unpaired surrogates. In NFC, so that equal texts are equal
 * for searches and repeated leads. Text without visible characters is empty.
 */
const text = (error: string) =>
  z.string(error).check(
    z.overwrite(removeUnstorable),
    z.normalize('NFC'),
    z.overwrite((typed) => (visible(typed) === '' ? '' : typed.trim())),
  );

/** Text without invisible characters: formatting and bidirectional controls, fillers, the blank of Braille. */
function visible(typed: string): string {
  return typed.replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/gu, '').trim();
}

const minVisible = (length: number, error: string) => [
  z.minLength(length, { error, abort: true }),
  z.refine<string>((typed) => visible(typed).length >= length, error),
];

function removeUnstorable(typed: string): string {
  // In this order, as in a form without scripts: halves around a NUL character are no pair.
  return typed.replace(/\p{Surrogate}/gu, '\uFFFD').replaceAll('\0', '');
}

/** Fields that a person fills in, version 1. Form and service validate with the same schema. */
export const leadFields = z.object({
  name: text(nameTooShort).check(
    ...minVisible(2, nameTooShort),
    z.maxLength(maxLengths.name, tooLong('Name', maxLengths.name)),
  ),
  /** With the domain in ASCII, as mail servers need it: `fay@bücher.de` becomes `fay@xn--bcher-kva.de`. */
  email: text(emailInvalid).check(
    z.overwrite(withAsciiDomain),
    z.maxLength(maxEmailLength, { error: emailInvalid, abort: true }),
    z.email({ error: emailInvalid, pattern: emailPattern }),
  ),
  company: z.optional(
    text('Company must be text').check(
      z.maxLength(maxLengths.company, tooLong('Company', maxLengths.company)),
    ),
  ),
  message: text(messageTooShort).check(
    ...minVisible(10, messageTooShort),
    z.maxLength(maxLengths.message, tooLong('Message', maxLengths.message)),
  ),
});
export type LeadFields = z.infer<typeof leadFields>;

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

/** Minimum response that the form relies on, so that form and service can be released independently. */
export const leadThanks = z.object({
  /** Message for the sender. */
  message: z.string(),
});
export type LeadThanks = z.infer<typeof leadThanks>;

/** Body of a 201 response, or of 202 if the lead is in the spool: the lead is durably stored. */
export const leadAccepted = z.extend(leadThanks, {
  /** ID of the lead (UUID version 7). A retry with the same idempotency key gets the same ID. */
  id: z.string(),
});
export type LeadAccepted = z.infer<typeof leadAccepted>;

/**
 * Request header that makes retries safe: `Idempotency-Key: "…"`, a structured string of up to 255 characters.
 * A new lead needs a new key; a retry repeats it.
 */
export const idempotencyKeyHeader = 'Idempotency-Key';

/** Path of the `GET` endpoint that returns a {@link FormToken}. */
export const formTokenPath = '/api/form-token';

/**
 * Proof-of-work challenge, as `createChallenge` of `altcha-lib` 2 returns it. Solve it with `solveChallenge`
 * and the `deriveKey` of `altcha-lib/algorithms/web/pbkdf2`. The proof is the payload of the library:
 * `btoa(JSON.stringify({ challenge, solution }))`. Other code must treat it as opaque.
 */
export const formChallenge = z.record(z.string(), z.unknown());

/** Response of `GET /api/form-token`. */
export const formToken = z.object({
  /** Sent with the lead as `formToken`. Valid for one day. */
  token: z.string(),
  /** Present only if the service suspects automation. The solution is sent as `proof`. */
  challenge: z.optional(formChallenge),
});
export type FormToken = z.infer<typeof formToken>;
