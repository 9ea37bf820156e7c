import { formToken, formTokenPath } from '@countersign/contracts/lead';
import * as z from 'zod/mini';
import { tooManyLeads } from '../http/errors.ts';
import { defineRoute } from '../http/route.ts';
import type { LeadServices } from './leads.ts';

/** `GET /api/form-token`. Suspicious networks also get a challenge, after spam or too many leads. */
export const formTokenRoute = defineRoute({
  method: 'get',
  path: formTokenPath,
  operationId: 'open-form',
  summary: 'Returns a token for a form that a visitor opens.',
  description: 'The service accepts forms without a token, too.',
  scope: 'public',
  responses: {
    200: {
      description: 'Valid for one day.',
      json: formToken.register(z.globalRegistry, { id: 'FormToken' }),
    },
  },
  errors: [tooManyLeads],
  checks: ({ guard }: Pick<LeadServices, 'guard'>) => [guard.limitForms],
  async handler({ ctx }, { guard }: Pick<LeadServices, 'guard'>) {
    ctx.set('Cache-Control', 'no-store');
    return guard.issueToken(ctx.req);
  },
});
