import {
  idempotencyKeyHeader,
  leadAccepted,
  leadPath,
  leadTypes,
  type LeadType,
} from '@countersign/contracts/lead';
import { leadSubmission, type LeadAttribution } from '@countersign/contracts/lead-submission';
import * as z from 'zod/mini';
import {
  foreignOrigin,
  inFlight,
  invalidLead,
  keyReused,
  malformedIdempotencyKey,
  storeUnavailable,
  tooManyLeads,
} from '../http/errors.ts';
import { isForm, jsonOrFormBody } from '../http/request-body.ts';
import { defineRoute } from '../http/route.ts';
import { formAttribution, thanksPath, thanks } from './lead-pages.ts';
import { fingerprintOf, createLead } from '../lead/lead.ts';
import type { LeadGuard } from './lead-guard.ts';
import type { Intake } from './intake.ts';
import { storableAttribution, type KnownVersions } from './storable-attribution.ts';

export interface LeadServices {
  readonly intake: Intake;
  readonly guard: LeadGuard;
  /** Without it, a lead keeps no versions of parts. */
  readonly versions?: KnownVersions | undefined;
  /** Counts a lead by the versions that its sender saw. */
  countLead?(attribution: LeadAttribution): void;
}

/**
 * A structured field string (RFC 9651): printable ASCII in double quotes, with `\` as the escape for quotes and itself.
 */
const structuredString = /^ *"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)" *$/;
const maxCharacters = 255;

/** Schema of the sender's key in the `Idempotency-Key` header (draft 07). Throws if it is malformed. */
const idempotencyKey = z
  .pipe(z.string(), z.transform(unquoted))
  .check(
    z.describe(
      'Makes retries idempotent: a string of 1 to 255 characters in double quotes, unique for each lead.',
    ),
  );

function unquoted(header: string): string {
  const key = structuredString.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1');
  if (key === undefined || key.length > maxCharacters) throw malformedIdempotencyKey();
  return key;
}

/** The same in the answers 201 and 202. */
const accepted = {
  json: leadAccepted.register(z.globalRegistry, { id: 'LeadAccepted' }),
  headers: {
    'RateLimit-Policy': z.string().check(z.describe('Rate limits of an address and of a network.')),
    RateLimit: z.string().check(z.describe('Remaining requests within the limits.')),
    'Idempotency-Replayed': z
      .literal('true')
      .check(z.describe('"true" in the answer to a repeated request.')),
  },
};

/** The path decides the type, and the body must not contradict it. */
function submissionOf(type: LeadType) {
  const contradiction = `submissionType must be ${type} at this address`;
  const sameType = z.enum(leadTypes, contradiction).check(z.refine((sent) => sent === type, contradiction));
  return z
    .extend(leadSubmission, { submissionType: z.optional(sameType) })
    .register(z.globalRegistry, { id: 'LeadSubmission' });
}

/**
 * `POST /api/{trial,demo,contact}`. Spam is stored and answered like other leads. A native form submission is redirected to
 * a thank-you page.
 */
export const leadRoutes = leadTypes.map((type) =>
  defineRoute({
    method: 'post',
    path: leadPath(type),
    operationId: `send-${type}`,
    summary: `Accepts a lead of the type ${type}.`,
    description:
      'The service stores the lead durably before it answers. A repeated request gets the first answer and stores nothing.',
    scope: 'public',
    headers: z.object({ [idempotencyKeyHeader]: z.optional(idempotencyKey) }),
    body: submissionOf(type),
    acceptsForms: true,
    responses: {
      201: { description: 'Stored.', ...accepted },
      202: { description: 'Stored in the local spool, because the database is down.', ...accepted },
      303: {
        description: 'Stored; the answer to a form sent without script.',
        headers: { Location: z.string() },
      },
    },
    invalid: invalidLead,
    errors: [malformedIdempotencyKey, foreignOrigin, inFlight, keyReused, tooManyLeads, storeUnavailable],
    checks: ({ guard }: LeadServices) => [guard.crossOrigin, guard.sameOrigin, jsonOrFormBody, guard.limit],

    async handler({ headers, body: submission, ctx }, { intake, guard, versions, countLead }: LeadServices) {
      const fingerprint = fingerprintOf(type, submission);
      const sentAttribution = isForm(ctx) ? formAttribution(ctx) : (submission.attribution ?? {});
      const [classification, attribution] = await Promise.all([
        guard.classify({ fields: submission, fingerprint, metadata: submission }),
        storableAttribution(sentAttribution, versions),
      ]);
      const { leadId, status, replayed } = await intake.accept({
        lead: createLead({ type, fields: submission, attribution, classification }),
        fingerprint,
        idempotencyKey: headers[idempotencyKeyHeader],
      });

      if (!replayed && !classification.quarantined) countLead?.(attribution);
      if (replayed) ctx.set('Idempotency-Replayed', 'true');
      if (isForm(ctx)) {
        ctx.redirect(thanksPath(type));
        ctx.status = 303;
        return undefined;
      }
      ctx.status = status;
      return { message: thanks[type], id: leadId };
    },
  }),
);
