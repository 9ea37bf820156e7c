import type Router from '@koa/router';
import { pageReport, pageReportLimit } from '@countersign/contracts/page-report';
import { pageReportPath } from '@countersign/contracts/part-event';
import type { Middleware } from 'koa';
import type { Config } from '../config.ts';
import { bodyTooLarge, malformedReport, parseInput, tooManyReports } from '../http/errors.ts';
import { jsonBody, jsonObject } from '../http/request-body.ts';
import { sameOrigin } from '../http/origin.ts';
import type { Log } from '../platform/log.ts';
import { createClientLimits, type LocateClient } from '../rate-limit/client-limits.ts';
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
  { allowedOrigins, requestsPerAddress }: Pick<Config, 'allowedOrigins' | 'requestsPerAddress'>,
  clientOf: LocateClient,
  counter: PageReportCounter,
  log: Log,
): PageReportServices {
  const limits = createClientLimits(requestsPerAddress);
  return {
    sameOrigin: sameOrigin(allowedOrigins, log),
    async limit(ctx, next) {
      const { refusedFor } = limits.count(clientOf(ctx.req));
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

/** Adds `POST /api/page-reports`. Reports contain no personal data, and unknown fields are ignored. */
export function addPageReportRoute(router: Router, { sameOrigin, limit, counter }: PageReportServices): void {
  // The limit counts before the body is read, because every request of a flood must count, also a broken one.
  router.post(pageReportPath, sameOrigin, limit, jsonBody, refuseLargeReport, async (ctx) => {
    await counter.count(parseInput(pageReport, jsonObject(ctx), malformedReport));
    ctx.status = 204;
  });
}
