import type Router from '@koa/router';
import { pageReport, pageReportLimit } from '@countersign/contracts/page-report';
import { pageReportPath } from '@countersign/contracts/part-event';
import { bodyTooLarge, tooManyReports } from '../http/errors.ts';
import { jsonBody, jsonObject } from '../http/request-body.ts';
import { sameOrigin } from '../http/origin.ts';
import type { Log } from '../platform/log.ts';
import { parseInput, Refusal } from '../platform/refusal.ts';
import { type ClientCounts, limitClients } from '../rate-limit/limit-clients.ts';
import type { PageReportCounter } from './count-page-reports.ts';

interface PageReportServices extends ClientCounts {
  readonly config: { readonly allowedOrigins: readonly string[]; readonly requestsPerAddress: number };
  readonly counter: PageReportCounter;
  readonly log: Log;
}

function malformedReport(): Refusal {
  return new Refusal('malformed-report', 'The report is not one that this service understands.');
}

/** Adds `POST /api/page-reports`. Reports contain no personal data, and unknown fields are ignored. */
export function addPageReportRoute(
  router: Router,
  { config, counter, log, ...counts }: PageReportServices,
): void {
  router.post(
    pageReportPath,
    sameOrigin(config.allowedOrigins, log),
    // Reports decide about canaries, so one client must not outweigh the others. A page sends at most one per ten seconds.
    // Before the body is read, unlike for leads, because malformed requests of a flood must count as well.
    limitClients(config.requestsPerAddress, counts, 'page reports', tooManyReports),
    jsonBody,
    async (ctx) => {
      const { body } = ctx.request;
      // Lower than the limit of other JSON bodies.
      if (typeof body === 'string' && Buffer.byteLength(body) > pageReportLimit)
        throw bodyTooLarge(pageReportLimit);
      await counter.count(parseInput(pageReport, jsonObject(ctx), malformedReport));
      ctx.status = 204;
    },
  );
}
