import {
  idempotencyKeyHeader,
  leadPath,
  leadTypes,
  type LeadAccepted,
  type LeadType,
} from '@countersign/contracts/lead';
import Router from '@koa/router';
import { invalidLead } from '../errors.ts';
import { parseIdempotencyKey } from '../idempotency-key.ts';
import type { Intake } from '../intake.ts';
import { expectObject, jsonBody } from '../json-body.ts';
import { createLead } from '../lead.ts';
import { parseSubmission } from '../submission.ts';

const thanks: Readonly<Record<LeadType, string>> = {
  trial: 'Thank you. We will be in touch shortly to start your free trial.',
  demo: 'Thank you. We will be in touch shortly to arrange your demo.',
  contact: 'Thank you for your message. We will get back to you shortly.',
};

/**
 * `POST /api/{trial,demo,contact}`: 201 once the lead is durably stored, and not before; 202 when that is on this
 * machine, while the shared database is away. `Idempotency-Replayed: true` marks the answer to a repetition.
 */
export function leadRoutes(intake: Intake): Router {
  const router = new Router();
  for (const type of leadTypes) {
    router.post(leadPath(type), jsonBody, async (ctx) => {
      const idempotencyKey = parseIdempotencyKey(ctx.get(idempotencyKeyHeader));
      const submission = parseSubmission(type, expectObject(ctx.request.body));
      if (!submission.valid) throw invalidLead(submission.faults);

      const { fields, background } = submission;
      const { attribution = {} } = background;
      const lead = createLead({ type, fields, attribution });
      const { leadId, status, replayed } = await intake.accept({ lead, fields, idempotencyKey });

      ctx.status = status;
      if (replayed) ctx.set('Idempotency-Replayed', 'true');
      ctx.body = { message: thanks[type], id: leadId } satisfies LeadAccepted;
    });
  }
  return router;
}
