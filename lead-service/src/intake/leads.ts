import type Router from '@koa/router';
import type { Context } from 'koa';
import { crossOrigin, sameOrigin } from '../http/origin.ts';
import type { Log } from '../platform/log.ts';
import { type FieldError, parseInput, Refusal } from '../platform/refusal.ts';
import { type ClientLimits, limitClients } from '../rate-limit/limit-clients.ts';
import * as z from 'zod';
import {
  idempotencyKeyHeader,
  type LeadAccepted,
  leadPath,
  type LeadType,
  leadTypes,
} from '@countersign/contracts/lead';
import { clickIdentifiers, removedParameters, withoutParameters } from '@countersign/contracts/lead-form';
import { type LeadAttribution, leadSubmission } from '@countersign/contracts/lead-submission';
import { HttpError } from '../http/errors.ts';
import { formFields, isForm, jsonObject, jsonOrFormBody } from '../http/request-body.ts';
import { type Classify, createLead, fingerprintOf } from './create-lead.ts';
import type { LeadAnswer, Intake } from './intake.ts';
import { formAttribution, showThanks, thanks, thanksPath } from './lead-pages.ts';

export interface LeadServices extends ClientLimits {
  readonly allowedOrigins: readonly string[];
  readonly intake: Intake;
  readonly classify: Classify;
  /** Counts a stored lead by the versions that its sender saw. Judges them first, which no answer waits for. */
  countLead(attribution: LeadAttribution): void;
  readonly log: Log;
}

/**
 * Adds `POST /api/{trial,demo,contact}`, its CORS preflights, and the thank-you page for forms sent without script. Spam is stored
 * and answered like other leads. The service stores a lead durably before it answers.
 */
export function addLeadRoutes(
  router: Router,
  { allowedOrigins, intake, classify, countLead, log, ...limits }: LeadServices,
): void {
  const allowCrossOrigin = crossOrigin(allowedOrigins);
  const requireOwnOrAllowedOrigin = sameOrigin(allowedOrigins, log);
  const limitRate = limitClients(limits, 'leads', 'too-many-leads', tooManyLeads);
  for (const type of leadTypes) {
    const submissionSchema = submissionOf(type);
    router.options(leadPath(type), allowCrossOrigin);
    router.get(thanksPath(type), (ctx) => showThanks(ctx, type));
    // Reads the body before the limit counts, so that an interrupted or unreadable request uses up nothing of a visitor's quota.
    const receive = [allowCrossOrigin, requireOwnOrAllowedOrigin, jsonOrFormBody, limitRate];
    router.post(leadPath(type), ...receive, async (ctx) => {
      const { submission: fields, attribution, idempotencyKey } = validate(ctx, submissionSchema);
      const fingerprint = fingerprintOf(type, fields);
      const classification = await classify(fields, fingerprint);
      const lead = createLead({ type, fields, attribution, classification });
      const accepted = await intake.accept({ lead, fingerprint, idempotencyKey });
      if (!accepted.replayed && !classification.quarantined) countLead(attribution);
      answer(ctx, accepted);
    });
  }
}

function validate(ctx: Context, schema: ReturnType<typeof submissionOf>) {
  const idempotencyKey = readKey(ctx.headers[idempotencyKeyHeader.toLowerCase()]);
  const submission = parseInput(schema, isForm(ctx) ? formFields(ctx) : jsonObject(ctx), invalidLead);
  const sent = isForm(ctx) ? formAttribution(ctx) : (submission.attribution ?? {});
  return { submission, attribution: storableAttribution(sent), idempotencyKey };
}

function answer(ctx: Context, { type, leadId, status, replayed }: LeadAnswer): void {
  if (replayed) ctx.set('Idempotency-Replayed', 'true');
  if (isForm(ctx)) {
    // Post/Redirect/Get, so that reloading the page does not send the form again.
    ctx.redirect(thanksPath(type));
    ctx.status = 303;
    return;
  }
  ctx.status = status;
  ctx.body = { message: thanks[type], id: leadId } satisfies LeadAccepted;
}

function tooManyLeads(secondsLeft: number): string {
  const minutes = Math.ceil(secondsLeft / 60);
  return `Too many requests have come from your network. Please try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
}

/** A structured field string (RFC 9651): printable ASCII in double quotes, with `\` as the escape for quotes and itself. */
const structuredString = /^ *"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)" *$/;
const maxCharacters = 255;

/** The sender's key in the `Idempotency-Key` header (draft 07), which makes retries idempotent. Throws if it is malformed. */
function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = structuredString.exec(String(header))?.[1]?.replaceAll(/\\(.)/g, '$1');
  if (key === undefined || key.length > maxCharacters) throw new HttpError('malformed-idempotency-key');
  return key;
}

function invalidLead(errors: readonly FieldError[]): Refusal {
  return new Refusal('invalid-lead', `${errors.map(({ message }) => message).join('; ')}.`, errors);
}

/** The path decides the type, and the body must not contradict it. */
function submissionOf(type: LeadType) {
  const contradiction = `submissionType must be ${type} at this address`;
  const sameType = z.enum(leadTypes, contradiction).refine((sent) => sent === type, contradiction);
  return z.object({ ...leadSubmission.shape, submissionType: sameType.optional() });
}

/** Fields that contain addresses of pages. */
const addressFields = ['page', 'referrer', 'landingPage', 'landingReferrer'] as const;

/**
 * The part of an attribution that the service stores: addresses without {@link removedParameters}, and click identifiers only with a
 * consent. The versions stay as the page sent them. Whether it showed them is judged when the lead is counted.
 */
function storableAttribution(sent: LeadAttribution): LeadAttribution {
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
