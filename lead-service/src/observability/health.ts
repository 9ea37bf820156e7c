import * as z from 'zod/mini';
import { defineRoute } from '../http/route.ts';
import type { ReadinessCheck } from './readiness.ts';

/** `GET /healthz` (liveness), whatever the state of the database. */
export const healthRoute = defineRoute({
  method: 'get',
  path: '/healthz',
  operationId: 'answers',
  summary: 'Reports that the process answers (liveness).',
  description: 'Checks nothing else. For a supervisor that restarts a stalled process.',
  scope: 'public',
  responses: {
    200: { description: 'The process answers.', content: { 'text/plain': z.literal('ok') } },
  },
  handler({ ctx }) {
    ctx.type = 'text/plain';
    ctx.body = 'ok';
    return undefined;
  },
});

const readiness = z
  .object({ status: z.enum(['ready', 'degraded', 'unavailable']), reasons: z.array(z.string()) })
  .register(z.globalRegistry, { id: 'Readiness' });

/** `GET /readyz` (readiness). */
export const readinessRoute = defineRoute({
  method: 'get',
  path: '/readyz',
  operationId: 'takes-leads',
  summary: 'Reports whether the service can accept leads (readiness).',
  description: 'For a load balancer, which sends no requests to an instance that answers 503.',
  scope: 'public',
  responses: {
    200: { description: 'The service accepts leads, although it may be degraded.', json: readiness },
    503: { description: 'The service cannot accept leads.', json: readiness },
  },
  async handler({ ctx }, check: Pick<ReadinessCheck, 'check'>) {
    const found = await check.check();
    if (found.status === 'unavailable') ctx.status = 503;
    ctx.set('Cache-Control', 'no-store');
    return found;
  },
});

/** `GET /api/openapi.json`. Sends the text of the document. */
export const documentRoute = defineRoute({
  method: 'get',
  path: '/api/openapi.json',
  operationId: 'describe',
  summary: 'Returns this document.',
  description: 'Generated from the routes of the service, with their schemas and errors.',
  scope: 'public',
  responses: { 200: { description: 'OpenAPI 3.1.', content: { 'application/json': z.looseObject({}) } } },
  handler({ ctx }, read: () => string) {
    ctx.type = 'application/json';
    ctx.body = read();
    return undefined;
  },
});
