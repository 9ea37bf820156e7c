import Router, { type RouterContext } from '@koa/router';
import { expectObject, jsonBody } from '../json-body.ts';
import { erasePerson } from '../privacy/erase-person.ts';
import { exportPerson } from '../privacy/export-person.ts';
import { parseEmail } from '../privacy/person.ts';
import { choice, parseLeadFilter, type FilterWords } from '../sales/lead-filter.ts';
import { readStats } from '../sales/lead-stats.ts';
import { listLeads } from '../sales/list-leads.ts';
import { readLead } from '../sales/read-lead.ts';
import { releaseLead } from '../sales/release-lead.ts';
import { readDeadLetters, replayDeliveries } from '../sales/replay-deliveries.ts';
import { invalidRequest } from '../sales/sales-errors.ts';
import { setStatus } from '../sales/set-status.ts';
import { setSuppressed } from '../sales/suppress.ts';
import { leadStatuses } from '../store/tables.ts';
import { allow, deskOf, privately, type Administration, type AdminState } from './administration.ts';
import { parseId, parseIds, parseLimit, parseWord } from './api-words.ts';
import { bearer } from './bearer.ts';
import { answerExport } from './answer-export.ts';

const usualLimit = 50;

/**
 * The sales side for programs, under `/admin/api`, each with `Authorization: Bearer <token>`. What is asked for by what
 * a visitor typed is a POST: addresses end up in the logs of proxies.
 */
export function apiRoutes(administration: Administration): Router<AdminState> {
  const desk = ({ state }: Pick<RouterContext<AdminState>, 'state'>) => deskOf(administration, state.token);
  const router = new Router<AdminState>({ prefix: '/admin/api' });
  router.use(privately(administration), bearer(administration));

  router.get('/leads', allow('read'), async (ctx) => {
    const { limit, after } = ctx.query;
    const page = await listLeads(desk(ctx), {
      filter: parseLeadFilter(ctx.query),
      limit: parseLimit(limit, usualLimit),
      after: parseWord('after', after),
    });
    ctx.body = { leads: page.leads, next: page.next ?? null };
  });
  router.post('/leads/search', allow('read'), jsonBody, async (ctx) => {
    const { text, limit, after, ...words } = expectObject(ctx.request.body);
    const page = await listLeads(desk(ctx), {
      filter: parseLeadFilter(words as FilterWords, 'with'),
      text: parseWord('text', text) ?? '',
      limit: parseLimit(limit, usualLimit),
      after: parseWord('after', after),
    });
    ctx.body = { leads: page.leads, next: page.next ?? null };
  });
  router.get('/leads/:id', allow('read'), async (ctx) => {
    ctx.body = await readLead(desk(ctx), parseId(ctx.params['id']));
  });
  router.put('/leads/:id/status', allow('write'), jsonBody, async (ctx) => {
    const { status: word } = expectObject(ctx.request.body);
    const status = choice('status', parseWord('status', word), leadStatuses);
    if (status === undefined) throw invalidRequest(`status must be ${leadStatuses.join(', ')}.`);
    const id = parseId(ctx.params['id']);
    await setStatus(desk(ctx), id, status);
    ctx.body = { id, status };
  });
  router.post('/leads/:id/not-spam', allow('write'), async (ctx) => {
    const id = parseId(ctx.params['id']);
    ctx.body = { id, deliveries: await releaseLead(desk(ctx), id) };
  });
  router.get('/export', allow('export'), (ctx) => answerExport(ctx, desk(ctx)));

  router.get('/stats', allow('read'), async (ctx) => {
    ctx.body = await readStats(desk(ctx));
  });
  router.get('/dead-letters', allow('read'), async (ctx) => {
    const after = parseWord('after', ctx.query['after']);
    const limit = parseLimit(ctx.query['limit'], usualLimit);
    ctx.body = {
      deadLetters: await readDeadLetters(desk(ctx), { limit, ...(after !== undefined && { after }) }),
    };
  });
  router.post('/dead-letters/replay', allow('write'), jsonBody, async (ctx) => {
    const { ids, all } = expectObject(ctx.request.body);
    ctx.body = { replayed: await replayDeliveries(desk(ctx), all === true ? 'all' : parseIds(ids)) };
  });

  router.post('/people/export', allow('erase'), jsonBody, async (ctx) => {
    ctx.body = await exportPerson(desk(ctx), parseEmail(expectObject(ctx.request.body)['email']));
  });
  router.post('/people/erase', allow('erase'), jsonBody, async (ctx) => {
    ctx.body = await erasePerson(desk(ctx), parseEmail(expectObject(ctx.request.body)['email']));
  });
  router.post('/people/suppress', allow('write'), jsonBody, async (ctx) => {
    const { email, suppressed = true } = expectObject(ctx.request.body);
    if (typeof suppressed !== 'boolean') throw invalidRequest('suppressed must be true or false.');
    await setSuppressed(desk(ctx), parseEmail(email), suppressed);
    ctx.body = { suppressed };
  });
  return router;
}
