import { leadPath, leadTypes, type LeadAccepted, type LeadType } from '@countersign/contracts/lead';
import Router from '@koa/router';
import { invalidLead, storeUnavailable } from '../errors.ts';
import { expectObject, jsonBody } from '../json-body.ts';
import { createLead } from '../lead.ts';
import type { Log } from '../log.ts';
import type { LeadStore } from '../store/lead-store.ts';
import { parseSubmission } from '../submission.ts';

const thanks: Readonly<Record<LeadType, string>> = {
  trial: 'Thank you. We will be in touch shortly to start your free trial.',
  demo: 'Thank you. We will be in touch shortly to arrange your demo.',
  contact: 'Thank you for your message. We will get back to you shortly.',
};

/** `POST /api/{trial,demo,contact}`: 201 once the lead is durably stored, and not before. */
export function leadRoutes(store: LeadStore, log: Log): Router {
  const router = new Router();
  for (const type of leadTypes) {
    router.post(leadPath(type), jsonBody, async (ctx) => {
      const submission = parseSubmission(type, expectObject(ctx.request.body));
      if (!submission.valid) throw invalidLead(submission.faults);

      const lead = createLead(type, submission.fields);
      if ((await store.add(lead)) === 'unavailable') throw storeUnavailable();

      log.info(`stored ${type} lead ${lead.id}`);
      ctx.status = 201;
      ctx.body = { message: thanks[type] } satisfies LeadAccepted;
    });
  }
  return router;
}
