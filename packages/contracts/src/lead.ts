import * as z from 'zod/mini';

/** What a visitor asked for. The path that a lead is sent to decides it. */
export const leadTypes = ['trial', 'demo', 'contact'] as const;
export type LeadType = (typeof leadTypes)[number];

const nameTooShort = 'Name must be at least 2 characters';
const emailInvalid = 'Please enter a valid email address';
const messageTooShort = 'Message must be at least 10 characters';

/** The fields a person fills in, version 1. The form and the service validate with this same schema. */
export const leadFields = z.object({
  name: z.string(nameTooShort).check(z.trim(), z.minLength(2, nameTooShort)),
  email: z.string(emailInvalid).check(z.trim(), z.email(emailInvalid)),
  company: z.optional(z.string('Company must be text').check(z.trim())),
  message: z.string(messageTooShort).check(z.trim(), z.minLength(10, messageTooShort)),
});
export type LeadFields = z.infer<typeof leadFields>;

/** Body of `POST /api/{trial,demo,contact}`, as JSON. Unknown fields are ignored. */
export const leadSubmission = z.extend(leadFields, {
  submissionType: z.enum(leadTypes, 'submissionType must be trial, demo or contact'),
});
export type LeadSubmission = z.infer<typeof leadSubmission>;

/** Answer 201: the lead is durably stored. `message` is the sentence to thank its sender with. */
export const leadAccepted = z.object({ message: z.string() });
export type LeadAccepted = z.infer<typeof leadAccepted>;

/** Where a lead of a type is sent to, relative to the site's origin. */
export function leadPath(type: LeadType): `/api/${LeadType}` {
  return `/api/${type}`;
}
