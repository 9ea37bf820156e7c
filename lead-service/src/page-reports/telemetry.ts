import { telemetryLimit, telemetryReport } from '@countersign/contracts/telemetry';
import { telemetryPath } from '@countersign/contracts/telemetry-path';
import type { Middleware } from 'koa';
import * as z from 'zod/mini';
import { bodyTooLarge, foreignOrigin, malformedReport, tooManyReports } from '../http/errors.ts';
import { jsonBody } from '../http/request-body.ts';
import { defineRoute } from '../http/route.ts';
import { sameOrigin } from '../http/same-origin.ts';
import type { Log } from '../platform/log.ts';
import type { AbuseConfig } from '../rate-limit/abuse-config.ts';
import type { LocateClient } from '../rate-limit/client.ts';
import { createClientLimits, type ClientLimits } from '../rate-limit/client-limits.ts';
import type { OpenCounter } from '../rate-limit/counters.ts';
import type { SiteMetrics } from './site-metrics.ts';

export interface TelemetryServices {
  /** CSRF protection: answers 403 to reports of other origins. */
  readonly sameOrigin: Middleware;
  readonly limit: Middleware;
  readonly clientOf: LocateClient;
  readonly metrics: SiteMetrics;
}

export function createTelemetry(
  config: Pick<AbuseConfig, 'allowedOrigins' | 'reportQuotas'>,
  clientOf: LocateClient,
  open: OpenCounter,
  metrics: SiteMetrics,
  log: Log,
): TelemetryServices {
  return {
    sameOrigin: sameOrigin(config.allowedOrigins, log),
    limit: limitReports(createClientLimits('reports', config.reportQuotas, open), clientOf),
    clientOf,
    metrics,
  };
}

/**
 * Middleware that answers 429 to an address or network with too many reports. A page sends at most one report per ten
 * seconds, so normal visitors stay below the limit. Reports decide about canaries, so one client must not outweigh the
 * others.
 */
function limitReports(limits: ClientLimits, clientOf: LocateClient): Middleware {
  return async (ctx, next) => {
    const { refusedFor } = await limits.count(clientOf(ctx.req));
    if (refusedFor !== undefined) throw tooManyReports(refusedFor);
    await next();
  };
}

/** The limit of reports is lower than that of other JSON bodies. */
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
  // The limit counts before the body is read, because every request of a flood must count, also a broken one.
  checks: ({ sameOrigin, limit }: TelemetryServices) => [sameOrigin, limit, jsonBody, refuseLargeReport],
  async handler({ body, ctx }, { clientOf, metrics }: TelemetryServices) {
    await metrics.count(body, clientOf(ctx.req).network);
    return undefined;
  },
});
