import { telemetryLimit, telemetryReport } from '@countersign/contracts/telemetry';
import { telemetryPath } from '@countersign/contracts/telemetry-path';
import type { Middleware } from 'koa';
import * as z from 'zod/mini';
import { bodyTooLarge, foreignOrigin, malformedReport, tooManyReports } from '../http/errors.ts';
import { jsonBody } from '../http/request-body.ts';
import { defineRoute } from '../http/route.ts';
import type { LeadGuard } from '../intake/lead-guard.ts';
import type { SiteMetrics } from './site-metrics.ts';

interface TelemetryServices {
  readonly guard: Pick<LeadGuard, 'sameOrigin' | 'limitReports' | 'clientOf'>;
  readonly metrics: SiteMetrics;
}

const refuseLargeReport: Middleware = (ctx, next) => {
  const { body } = ctx.request;
  if (typeof body === 'string' && Buffer.byteLength(body) > telemetryLimit)
    throw bodyTooLarge(telemetryLimit);
  return next();
};

/** `POST /api/telemetry`: load results and web vitals. Reports contain no personal data, and unknown fields are ignored. */
export const telemetryRoute = defineRoute({
  method: 'post',
  path: telemetryPath,
  operationId: 'report',
  summary: 'Accepts a report on the parts of the page. Adds it to the metrics and does not store it.',
  description: 'Counts a version as "other" unless it is or was recently live, previous or canary.',
  scope: 'public',
  body: telemetryReport.register(z.globalRegistry, { id: 'TelemetryReport' }),
  responses: { 204: { description: 'Counted.' } },
  invalid: malformedReport,
  errors: [foreignOrigin, tooManyReports],
  checks: ({ guard }: TelemetryServices) => [
    guard.sameOrigin,
    guard.limitReports,
    jsonBody,
    refuseLargeReport,
  ],
  async handler({ body, ctx }, { guard, metrics }: TelemetryServices) {
    await metrics.count(body, guard.clientOf(ctx.req).network);
    return undefined;
  },
});
