import * as z from 'zod/mini';
import { leadPath, leadTypes, trapField, type LeadType } from './lead-form.ts';

export { leadPath, leadTypes, trapField, type LeadType };

const nameTooShort = 'Name must be at least 2 characters';
const emailInvalid = 'Please enter a valid email address';
/** No mail goes to a longer address (RFC 5321). */
const longestEmail = 254;
const messageTooShort = 'Message must be at least 10 characters';

/** A person's text as it is kept: without the character NUL and halves of characters, which no database holds. */
const text = (error: string) => z.string(error).check(z.overwrite(storable), z.trim());

function storable(typed: string): string {
  return typed.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** The fields a person fills in, version 1. The form and the service validate with this same schema. */
export const leadFields = z.object({
  name: text(nameTooShort).check(z.minLength(2, nameTooShort)),
  email: text(emailInvalid).check(
    z.maxLength(longestEmail, { error: emailInvalid, abort: true }),
    z.email(emailInvalid),
  ),
  company: z.optional(text('Company must be text')),
  message: text(messageTooShort).check(z.minLength(10, messageTooShort)),
});
export type LeadFields = z.infer<typeof leadFields>;

/** What cannot be read is left out: a lead is worth more than where it came from. */
const hint = (longest: number) =>
  z.catch(
    z.optional(z.string().check(z.overwrite(storable), z.trim(), z.minLength(1), z.maxLength(longest))),
    undefined,
  );

/** Where a lead came from, as far as the page knows. Nothing in it is ever a reason to refuse the lead. */
export const leadAttribution = z.object({
  /** Path and query of the page that the form stood on: `/?utm_source=letter`. */
  page: hint(2048),
  /** Address of the page that led to it. */
  referrer: hint(2048),
  utmSource: hint(200),
  utmMedium: hint(200),
  utmCampaign: hint(200),
  utmTerm: hint(200),
  utmContent: hint(200),
  /** The state of the page that the sender saw, as the release document names it. */
  releaseId: hint(64),
  /** What the sender agreed to, word for word, and when (ISO 8601). */
  consentText: hint(2000),
  consentedAt: hint(40),
});
export type LeadAttribution = z.infer<typeof leadAttribution>;

/** What the form sends beside the fields, each optional: a form without it is still a form. */
const leadEvidence = {
  attribution: z.catch(z.optional(leadAttribution), undefined),
  /** From `GET /api/form-token`: says when the form was opened. */
  formToken: hint(1024),
  /** The answer to the token's challenge, if it came with one. */
  proof: hint(4096),
  [trapField]: z.catch(z.optional(z.string().check(z.maxLength(4096))), undefined),
} as const;

/** Body of `POST /api/{trial,demo,contact}`, as JSON. Unknown fields are ignored. */
export const leadSubmission = z.extend(leadFields, {
  submissionType: z.enum(leadTypes, 'submissionType must be trial, demo or contact'),
  ...leadEvidence,
});
export type LeadSubmission = z.infer<typeof leadSubmission>;

/** The part of a submission that no person typed. */
export const leadBackground = z.object(leadEvidence);
export type LeadBackground = z.infer<typeof leadBackground>;

/** What the form needs of an answer: a service that is released earlier or later says at least this. */
export const leadThanks = z.object({
  /** The sentence to thank its sender with. */
  message: z.string(),
});
export type LeadThanks = z.infer<typeof leadThanks>;

/** Answer 201 (or 202, when it is kept in a second place): the lead is durably stored. */
export const leadAccepted = z.extend(leadThanks, {
  /** Names the lead (UUID version 7); the same for every repetition of one request. */
  id: z.string(),
});
export type LeadAccepted = z.infer<typeof leadAccepted>;

/**
 * Request header that makes a repetition harmless: `Idempotency-Key: "…"`, a structured string of up to 255 characters,
 * new for each lead, the same for each attempt to send it.
 */
export const idempotencyKeyHeader = 'Idempotency-Key';

/** Address of `GET`: a {@link FormToken}. */
export const formTokenPath = '/api/form-token';

/**
 * Work to be done before sending, exactly as `createChallenge` of `altcha-lib` 2 returns it: solve it with
 * `solveChallenge` and the `deriveKey` of `altcha-lib/algorithms/web/pbkdf2`. Its proof is the library's own payload:
 * `btoa(JSON.stringify({ challenge, solution }))`. Opaque to everybody else.
 */
export const formChallenge = z.record(z.string(), z.unknown());

/** Answer of `GET /api/form-token`. */
export const formToken = z.object({
  /** To be sent along as `formToken`. Good for one day. */
  token: z.string(),
  /** Present only where there is reason for doubt; its solution goes along as `proof`. */
  challenge: z.optional(formChallenge),
});
export type FormToken = z.infer<typeof formToken>;
