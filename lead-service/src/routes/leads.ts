import { leadPath, leadTypes, type LeadAccepted } from '@countersign/contracts/lead';
import Router from '@koa/router';
import type { LeadGuard } from '../abuse/lead-guard.ts';
import { invalidLead } from '../errors.ts';
import { formAttribution } from '../form-attribution.ts';
import { expectLead, isForm, leadBody } from '../form-body.ts';
import { readIdempotencyKey } from '../idempotency-key.ts';
import type { Intake } from '../intake.ts';
import { createLead } from '../lead.ts';
import { parseSubmission } from '../submission.ts';
import { thanksPath } from './lead-pages.ts';
import { thanks } from './thanks.ts';

/**
 * `POST /api/{trial,demo,contact}`: 201 once the lead is durably stored, and not before; 202 when that is on this
 * machine, while the shared database is away. `Idempotency-Replayed: true` marks the answer to a repetition. What is
 * taken for spam is stored as well and answered in the same way. A form that a browser sends by itself
 * (`application/x-www-form-urlencoded`) is answered with 303 to a page that thanks.
 */
export function leadRoutes(intake: Intake, guard: LeadGuard): Router {
  const router = new Router();
  for (const type of leadTypes) {
    router.post(leadPath(type), guard.sameOrigin, leadBody, guard.limit, async (ctx) => {
      const idempotencyKey = readIdempotencyKey(ctx.headers);
      const submission = parseSubmission(type, expectLead(ctx));
      if (!submission.valid) throw invalidLead(submission.faults);

      const { fields, background } = submission;
      const verdict = await guard.judge(ctx.req, { type, fields, background });
      const attribution = isForm(ctx) ? formAttribution(ctx) : background.attribution;
      const lead = createLead({ type, fields, attribution: attribution ?? {}, verdict });
      const { leadId, status, replayed } = await intake.accept({ lead, fields, idempotencyKey });

      if (replayed) ctx.set('Idempotency-Replayed', 'true');
      if (isForm(ctx)) {
        ctx.redirect(thanksPath(type));
        ctx.status = 303;
      } else {
        ctx.status = status;
        ctx.body = { message: thanks[type], id: leadId } satisfies LeadAccepted;
      }
    });
  }
  return router;
}
