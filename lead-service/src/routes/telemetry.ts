import { telemetryPath } from '@countersign/contracts/telemetry-path';
import { telemetryLimit, telemetryReport } from '@countersign/contracts/telemetry';
import Router from '@koa/router';
import type { LeadGuard } from '../abuse/lead-guard.ts';
import { bodyTooLarge, malformedReport } from '../errors.ts';
import { expectObject, jsonBody } from '../json-body.ts';
import type { SiteMetrics } from '../telemetry/site-metrics.ts';

/**
 * `POST /api/telemetry`: 204 for a report of what became of the page's parts and how the page felt. It is added up and
 * not kept. It holds nothing about the person; a field that the contract does not know is not looked at.
 */
export function telemetryRoutes(
  { sameOrigin, limitReports }: Pick<LeadGuard, 'sameOrigin' | 'limitReports'>,
  metrics: SiteMetrics,
): Router {
  return new Router().post(telemetryPath, sameOrigin, limitReports, jsonBody, async (ctx) => {
    if (Buffer.byteLength(String(ctx.request.body)) > telemetryLimit) throw bodyTooLarge(telemetryLimit);
    const report = telemetryReport.safeParse(expectObject(ctx.request.body));
    if (!report.success) throw malformedReport();
    await metrics.count(report.data);
    ctx.status = 204;
  });
}
