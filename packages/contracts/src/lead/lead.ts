import * as z from 'zod/mini';
import { emailPattern, normalizeEmail, visible } from './email-address.ts';
import { leadPath, leadTypes, honeypotField, type LeadType } from './lead-form.ts';

export { leadPath, leadTypes, honeypotField, normalizeEmail, type LeadType };

const nameTooShort = 'Name must be at least 2 characters';
const emailInvalid = 'Please enter a valid email address';
/** Maximum length of an email address (RFC 5321). */
const maxEmailLength = 254;
const messageTooShort = 'Message must be at least 10 characters';

/**
 * Maximum lengths in characters (Unicode code points). A form states them when a text comes near. The service's limit for
 * bodies is large enough for the longest fields in any encoding.
 */
export const maxLengths = { name: 200, company: 200, message: 5000 } as const;

const tooLong = (label: string, maxLength: number) =>
  `${label} must be at most ${maxLength.toLocaleString('en')} characters`;

/**
 * Text that every database can store (see {@link removeUnstorable}). It is normalised to NFC, so that
 * searches find equal texts and repeated leads have equal content. A text of only invisible characters becomes empty.
 */
const text = (error: string) =>
  z.string(error).check(
    z.overwrite(removeUnstorable),
    z.normalize('NFC'),
    z.overwrite((typed) => (visible(typed) === '' ? '' : typed.trim())),
  );

/** Minimum length in code points, without invisible characters. */
const minVisible = (length: number, error: string) =>
  z.refine<string>((typed) => [...visible(typed)].length >= length, error);

/** Removes NUL characters, and replaces unpaired surrogates by U+FFFD, because not every database can store them. */
export function removeUnstorable(typed: string): string {
  // With `u`, the pattern matches unpaired surrogates only. They come first, as in a form that a browser sends without scripts:
  // without a NUL character between them, two halves would become a pair.
  return typed.replace(/\p{Surrogate}/gu, '\uFFFD').replaceAll('\0', '');
}

/** Fields that a person fills in. Form and service validate with the same schema. */
export const leadFields = z.object({
  name: text(nameTooShort).check(
    minVisible(2, nameTooShort),
    z.maxLength(maxLengths.name, tooLong('Name', maxLengths.name)),
  ),
  /** With the domain in ASCII, as mail servers need it: `fay@bücher.de` becomes `fay@xn--bcher-kva.de`. */
  email: text(emailInvalid).check(
    z.overwrite(normalizeEmail),
    z.maxLength(maxEmailLength, { error: emailInvalid, abort: true }),
    z.email({ error: emailInvalid, pattern: emailPattern }),
  ),
  company: z.optional(
    text('Company must be text').check(
      z.maxLength(maxLengths.company, tooLong('Company', maxLengths.company)),
    ),
  ),
  message: text(messageTooShort).check(
    minVisible(10, messageTooShort),
    z.maxLength(maxLengths.message, tooLong('Message', maxLengths.message)),
  ),
});
export type LeadFields = z.infer<typeof leadFields>;

/** Minimum response that the form relies on, so that form and service can be released independently. */
export const leadThanks = z.object({
  /** Message for the sender. */
  message: z.string(),
});
export type LeadThanks = z.infer<typeof leadThanks>;

/** What the form relies on in a problem document (RFC 9457), which the service answers if a lead is not stored. */
export const leadProblem = z.object({
  /** Message for the sender, with those of all fields: what the service answers as plain text. */
  detail: z.string(),
  /** Messages for the sender about fields. A field may be one that no form has. */
  errors: z.catch(z.array(z.object({ field: z.string(), message: z.string() })), []),
});
export type LeadProblem = z.infer<typeof leadProblem>;

/** Body of a 201 response, or of 202 if the lead is in the spool: the lead is durably stored. */
export const leadAccepted = z.extend(leadThanks, {
  /** ID of the lead (UUID version 7). A retry with the same idempotency key gets the same ID, unless the database goes down in between. */
  id: z.string(),
});
export type LeadAccepted = z.infer<typeof leadAccepted>;

/**
 * Request header that makes retries safe: `Idempotency-Key: "…"`, a structured string of up to 255 characters.
 * A new lead needs a new key; a retry repeats it.
 */
export const idempotencyKeyHeader = 'Idempotency-Key';
