import { pageReportCounts, pageReportCountsPath } from '@countersign/contracts/page-report-counts';
import * as z from 'zod/mini';
import { leadStatuses } from '../database/tables.ts';
import { erasedLead, notQuarantined, unknownLead } from '../http/errors.ts';
import { defineRoute, type Route } from '../http/route.ts';
import type { AdminContext } from '../lead-admin/admin-context.ts';
import { erasedPerson, erasePerson } from '../lead-admin/erase-person.ts';
import { exportPerson, personFile } from '../lead-admin/export-person.ts';
import { holdLead, setStatus, releaseLead } from '../lead-admin/change-lead.ts';
import { leadFilter } from '../lead-admin/lead-filter.ts';
import { leadStats, readStats } from '../lead-admin/lead-stats.ts';
import { leadPage, listLeads } from '../lead-admin/list-leads.ts';
import { personEmail } from '../lead-admin/person.ts';
import { leadFile, readLead } from '../lead-admin/read-lead.ts';
import { deadLetters, readDeadLetters, replayDeliveries } from '../lead-admin/dead-letters.ts';
import { pageReportsQuery, readPageReports } from '../page-reports/read-page-reports.ts';
import type { AdminScope } from './admin-token.ts';
import { answerExport } from './answer-export.ts';
import { exportQuery, leadParams, pageQuery, replayBody, searchBody, statusBody } from './request-schemas.ts';

const deliveriesOfLead = (change: 'held' | 'released') =>
  z.object({ id: z.string(), deliveries: z.int().check(z.describe(`Number of ${change} deliveries.`)) });

const leadRoutes = [
  defineRoute({
    method: 'get',
    path: '/admin/api/leads',
    operationId: 'admin-get-leads',
    summary: 'Lists leads, newest first.',
    scope: 'read',
    query: z.extend(leadFilter('without'), pageQuery.shape),
    responses: { 200: { json: leadPage } },
    handler: ({ query: { limit, after, ...filter } }, context: AdminContext) =>
      listLeads(context, { filter, limit, after }),
  }),
  defineRoute({
    method: 'post',
    path: '/admin/api/leads/search',
    operationId: 'admin-post-leads-search',
    summary: 'Lists leads that contain a text.',
    scope: 'read',
    body: searchBody,
    responses: { 200: { json: leadPage } },
    handler: ({ body: { text, limit, after, ...filter } }, context: AdminContext) =>
      listLeads(context, { filter, text, limit, after: after ?? undefined }),
  }),
  defineRoute({
    method: 'get',
    path: '/admin/api/leads/{id}',
    operationId: 'admin-get-leads-id',
    summary: 'Shows a lead with its deliveries.',
    scope: 'read',
    params: leadParams,
    responses: { 200: { json: leadFile } },
    errors: [unknownLead],
    handler: ({ params: { id } }, context: AdminContext) => readLead(context, id),
  }),
  defineRoute({
    method: 'put',
    path: '/admin/api/leads/{id}/status',
    operationId: 'admin-put-leads-id-status',
    summary: 'Sets the status of a lead.',
    scope: 'write',
    params: leadParams,
    body: statusBody,
    responses: { 200: { json: z.object({ id: z.string(), status: z.enum(leadStatuses) }) } },
    errors: [unknownLead, erasedLead],
    async handler({ params: { id }, body: { status } }, context: AdminContext) {
      await setStatus(context, id, status);
      return { id, status };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/admin/api/leads/{id}/not-spam',
    operationId: 'admin-post-leads-id-not-spam',
    summary: 'Releases a lead from quarantine, with its mails and webhooks.',
    scope: 'write',
    params: leadParams,
    responses: { 200: { json: deliveriesOfLead('released') } },
    errors: [unknownLead, erasedLead, notQuarantined],
    async handler({ params: { id } }, context: AdminContext) {
      return { id, deliveries: await releaseLead(context, id) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/admin/api/leads/{id}/spam',
    operationId: 'admin-post-leads-id-spam',
    summary: 'Puts a lead into quarantine, and holds what is not delivered yet.',
    scope: 'write',
    params: leadParams,
    responses: { 200: { json: deliveriesOfLead('held') } },
    errors: [unknownLead, erasedLead],
    async handler({ params: { id } }, context: AdminContext) {
      return { id, deliveries: await holdLead(context, id) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/admin/api/export',
    operationId: 'admin-get-export',
    summary:
      'Exports leads of a filter, without quarantine by default, as CSV, or as JSON lines with format=jsonl.',
    scope: 'export',
    query: exportQuery,
    responses: {
      200: {
        content: { 'text/csv': z.string(), 'application/x-ndjson': z.string() },
        headers: { 'Content-Disposition': z.string().check(z.describe('The name of the file.')) },
      },
    },
    async handler({ query, ctx }, context: AdminContext) {
      await answerExport(ctx, context, query);
      return undefined;
    },
  }),
  defineRoute({
    method: 'get',
    path: '/admin/api/stats',
    operationId: 'admin-get-stats',
    summary: 'Returns counts of leads and deliveries.',
    scope: 'read',
    responses: { 200: { json: leadStats } },
    handler: (_, context: AdminContext) => readStats(context),
  }),
];

const deadLetterRoutes = [
  defineRoute({
    method: 'get',
    path: '/admin/api/dead-letters',
    operationId: 'admin-get-dead-letters',
    summary: 'Lists dead letters.',
    scope: 'read',
    query: pageQuery,
    responses: { 200: { json: deadLetters } },
    async handler({ query: { limit, after = '' } }, context: AdminContext) {
      return { deadLetters: await readDeadLetters(context, { limit, after }) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/admin/api/dead-letters/replay',
    operationId: 'admin-post-dead-letters-replay',
    summary: 'Replays some or all dead letters.',
    scope: 'write',
    body: replayBody,
    responses: { 200: { json: z.object({ replayed: z.int() }) } },
    async handler({ body }, context: AdminContext) {
      return { replayed: await replayDeliveries(context, 'all' in body ? 'all' : body.ids) };
    },
  }),
];

// POST, so that personal data never appears in URLs or proxy logs.
const personRoutes = [
  defineRoute({
    method: 'post',
    path: '/admin/api/people/export',
    operationId: 'admin-post-people-export',
    summary: 'Returns all data of a person.',
    scope: 'erase',
    body: z.object({ email: personEmail }),
    responses: { 200: { json: personFile } },
    handler: ({ body: { email } }, context: AdminContext) => exportPerson(context, email),
  }),
  defineRoute({
    method: 'post',
    path: '/admin/api/people/erase',
    operationId: 'admin-post-people-erase',
    summary: 'Erases all data of a person.',
    scope: 'erase',
    body: z.object({ email: personEmail }),
    responses: { 200: { json: erasedPerson } },
    handler: ({ body: { email } }, context: AdminContext) => erasePerson(context, email),
  }),
];

const pageReportRoutes = [
  defineRoute({
    method: 'get',
    path: pageReportCountsPath,
    operationId: 'admin-get-page-reports',
    summary: 'Returns counts of page reports by part, version and group of visitors.',
    scope: 'reports',
    query: pageReportsQuery,
    responses: { 200: { json: pageReportCounts } },
    handler: ({ query }, { database }: AdminContext) => readPageReports(database.db, query),
  }),
];

/** The admin API, with `Authorization: Bearer <token>`. */
export const adminRoutes: readonly Route<AdminContext, AdminScope>[] = [
  ...leadRoutes,
  ...deadLetterRoutes,
  ...personRoutes,
  ...pageReportRoutes,
];
