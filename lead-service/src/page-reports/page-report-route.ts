import type Router from '@koa/router';
import { pageReport, pageReportLimit } from '@countersign/contracts/page-report';
import { pageReportPath } from '@countersign/contracts/part-event';
import type { Middleware } from 'koa';
import type { Config } from '../config.ts';
import { bodyTooLarge, malformedReport, parseInput, tooManyReports } from '../http/errors.ts';
import { jsonBody, jsonObject } from '../http/request-body.ts';
import { sameOrigin } from '../http/origin.ts';
import type { Log } from '../platform/log.ts';
import { limitClients, type LocateClient } from '../rate-limit/client-limits.ts';
import type { PageReportCounter } from './count-page-reports.ts';

interface PageReportServices {
  readonly config: Pick<Config, 'allowedOrigins' | 'requestsPerAddress'>;
  readonly clientOf: LocateClient;
  readonly counter: PageReportCounter;
  readonly log: Log;
}

/** The limit of reports is lower than that of other JSON bodies. */
const refuseLargeReport: Middleware = (ctx, next) => {
  const { body } = ctx.request;
  if (typeof body === 'string' && Buffer.byteLength(body) > pageReportLimit)
    throw bodyTooLarge(pageReportLimit);
  return next();
};

/** Adds `POST /api/page-reports`. Reports contain no personal data, and unknown fields are ignored. */
export function addPageReportRoute(
  router: Router,
  { config, clientOf, counter, log }: PageReportServices,
): void {
  router.post(
    pageReportPath,
    sameOrigin(config.allowedOrigins, log),
    // Reports decide about canaries, so one client must not outweigh the others. A page sends at most one report per ten seconds.
    // The limit counts before the body is read, because every request of a flood must count, also a broken one.
    limitClients(config.requestsPerAddress, clientOf, tooManyReports),
    jsonBody,
    refuseLargeReport,
    async (ctx) => {
      await counter.count(parseInput(pageReport, jsonObject(ctx), malformedReport));
      ctx.status = 204;
    },
  );
}
