import { pageReport, pageReportLimit } from '@countersign/contracts/page-report';
import { pageReportPath } from '@countersign/contracts/page-report-path';
import type { Middleware } from 'koa';
import * as z from 'zod/mini';
import { bodyTooLarge, foreignOrigin, malformedReport, tooManyReports } from '../http/errors.ts';
import { jsonBody } from '../http/request-body.ts';
import { defineRoute } from '../http/route.ts';
import { sameOrigin } from '../http/same-origin.ts';
import type { Log } from '../platform/log.ts';
import type { AbuseConfig } from '../rate-limit/abuse-config.ts';
import type { LocateClient } from '../rate-limit/client.ts';
import { createClientLimits } from '../rate-limit/client-limits.ts';
import type { OpenCounter } from '../rate-limit/counters.ts';
import type { PageReportCounter } from './count-page-reports.ts';

export interface PageReportServices {
  /** CSRF protection: answers 403 to reports of other origins. */
  readonly sameOrigin: Middleware;
  /**
   * Answers 429 to an address or network with too many reports. A page sends at most one report per ten seconds, so normal
   * visitors stay below the limit. Reports decide about canaries, so one client must not outweigh the others.
   */
  readonly limit: Middleware;
  readonly counter: PageReportCounter;
}

export function createPageReports(
  config: Pick<AbuseConfig, 'allowedOrigins' | 'reportQuotas'>,
  clientOf: LocateClient,
  open: OpenCounter,
  counter: PageReportCounter,
  log: Log,
): PageReportServices {
  const limits = createClientLimits('reports', config.reportQuotas, open);
  return {
    sameOrigin: sameOrigin(config.allowedOrigins, log),
    async limit(ctx, next) {
      const { refusedFor } = await limits.count(clientOf(ctx.req));
      if (refusedFor !== undefined) throw tooManyReports(refusedFor);
      await next();
    },
    counter,
  };
}

/** The limit of reports is lower than that of other JSON bodies. */
const refuseLargeReport: Middleware = (ctx, next) => {
  const { body } = ctx.request;
  if (typeof body === 'string' && Buffer.byteLength(body) > pageReportLimit)
    throw bodyTooLarge(pageReportLimit);
  return next();
};

/** `POST /api/page-reports`. Reports contain no personal data, and unknown fields are ignored. */
export const pageReportRoute = defineRoute({
  method: 'post',
  path: pageReportPath,
  operationId: 'report',
  summary:
    'Accepts the report of a page view on its parts and web vitals. Adds it to counts and does not store it.',
  description: 'Counts a version as "other" unless it is or was recently live, previous or canary.',
  scope: 'public',
  body: pageReport.register(z.globalRegistry, { id: 'PageReport' }),
  responses: { 204: { description: 'Counted.' } },
  invalid: malformedReport,
  errors: [foreignOrigin, tooManyReports],
  // The limit counts before the body is read, because every request of a flood must count, also a broken one.
  checks: ({ sameOrigin, limit }: PageReportServices) => [sameOrigin, limit, jsonBody, refuseLargeReport],
  async handler({ body }, { counter }: PageReportServices) {
    await counter.count(body);
    return undefined;
  },
});
