import type Router from '@koa/router';
import type { Middleware } from 'koa';
import type { Kysely } from 'kysely';
import { pageReport, pageReportLimit } from '@countersign/contracts/page-report';
import { pageReportPath } from '@countersign/contracts/part-event';
import type { Tables } from '../database/tables.ts';
import { jsonBody, jsonObject } from '../http/request-body.ts';
import { sameOrigin } from '../http/origin.ts';
import type { Log } from '../platform/log.ts';
import { parseInput, Refusal } from '../platform/refusal.ts';
import { type ClientLimits, limitClients } from '../rate-limit/limit-clients.ts';
import type { PageReports } from './page-reports.ts';
import { pageReportsQuery, readPageReports } from './read-page-reports.ts';

interface PageReportServices extends ClientLimits {
  readonly allowedOrigins: readonly string[];
  readonly pageReports: Pick<PageReports, 'count'>;
  readonly log: Log;
}

const malformedReport = () =>
  new Refusal('malformed-report', 'The report is not one that this service understands.');
const tooManyReports = () => 'Too many reports have come from your network. Please send no more for now.';

/** Adds `POST /api/page-reports`. Reports contain no personal data, and unknown fields are ignored. */
export function addPageReportRoute(
  router: Router,
  { allowedOrigins, pageReports, log, ...limits }: PageReportServices,
): void {
  router.post(
    pageReportPath,
    sameOrigin(allowedOrigins, log),
    // Reports decide about canaries, so one client must not outweigh the others. A page sends one per ten seconds at most, and one
    // whenever it is hidden. Before the body is read, unlike for leads, because malformed requests of a flood must count as well.
    limitClients(limits, 'page reports', 'too-many-reports', tooManyReports),
    jsonBody(pageReportLimit),
    async (ctx) => {
      await pageReports.count(parseInput(pageReport, jsonObject(ctx), malformedReport));
      ctx.status = 204;
    },
  );
}

/** Answers with the counts, which `release watch` reads. */
export function showPageReports(db: Kysely<Tables>): Middleware {
  return async (ctx) => {
    ctx.body = await readPageReports(db, parseInput(pageReportsQuery, ctx.query));
  };
}
