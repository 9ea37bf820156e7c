import Router, { type RouterContext } from '@koa/router';
import { pageReportCountsPath } from '@countersign/contracts/page-report';
import type { Context, Middleware } from 'koa';
import { HttpError, StreamError } from '../../http/errors.ts';
import { formFields, jsonOrFormBody } from '../../http/request-body.ts';
import { strictSameOrigin } from '../../http/origin.ts';
import { holdLead, releaseLead } from '../change-leads.ts';
import { countWaiting, listDeadLetters, replayDeliveries } from '../dead-letters.ts';
import { exportStream } from '../export-formats.ts';
import { parseLeadFilter } from '../lead-filter.ts';
import { listLeads, readAllLeads, readLead } from '../read-leads.ts';
import { showPageReports } from '../../page-reports/page-report-route.ts';
import { describeError, type Log } from '../../platform/log.ts';
import { invalidRequest } from '../../platform/refusal.ts';
import type { LocateClient } from '../../rate-limit/limit-clients.ts';
import { createCounter } from '../../rate-limit/counter.ts';
import type { AdminContext } from '../admin-context.ts';
import { type AdminScope, type AdminToken, findToken } from '../admin-token.ts';
import { deadLettersPage, errorPage, leadPage, listPage, loginPage, showInboxPage } from './inbox-pages.ts';
import { beginSession, endSession, findSession } from './session.ts';

/** Dependencies of the inbox and the page reports. */
export interface Administration extends AdminContext {
  readonly tokens: readonly AdminToken[];
  readonly clientOf: LocateClient;
  readonly log: Log;
}

const pageSize = 50;
const inbox = '/admin/inbox';
const login = '/admin/login';
/** Failed logins of an address within the window, after which others are refused without a check. */
const maxFailures = 10;
const failureWindowSeconds = 600;

interface InboxState {
  readonly token: AdminToken;
}
type InboxRouter = Router<InboxState>;

/** The inbox, which is HTML pages without script, and the page reports as JSON for `release watch`. */
export function adminRoutes(administration: Administration): InboxRouter {
  const router: InboxRouter = new Router({ sensitive: true });
  const checkToken = createTokenCheck(administration);
  router.use(noStore, orUnavailable(administration));
  router.get(
    pageReportCountsPath,
    requireReportsToken(checkToken),
    showPageReports(administration.database.db),
  );
  router.get('/admin', (ctx) => ctx.redirect(inbox));
  router.get(login, (ctx) => showInboxPage(ctx, 'Log in', undefined, loginPage(false)));
  router.post(login, strictSameOrigin, jsonOrFormBody, async (ctx) => {
    beginSession(ctx, checkToken(ctx, formFields(ctx)['token']?.trim() ?? ''));
    seeOther(ctx, inbox);
  });
  router.post('/admin/logout', strictSameOrigin, (ctx) => {
    endSession(ctx);
    seeOther(ctx, login);
  });
  addInboxRoutes(router, administration, (scope) => async (ctx, next) => {
    const token = findSession(ctx, administration.tokens);
    if (token === undefined) return ctx.redirect(login);
    ctx.state = { ...ctx.state, token };
    if (!token.scopes.includes(scope)) throw missingScope(scope);
    await next();
  });
  return router;
}

function addInboxRoutes(
  router: InboxRouter,
  administration: Administration,
  requireScope: (scope: AdminScope) => Middleware<InboxState>,
): void {
  const read = requireScope('read');
  /** Checks of a form that changes something. */
  const write = [requireScope('write'), strictSameOrigin, jsonOrFormBody];
  router.get(inbox, read, async (ctx) => {
    const { after, quarantine } = ctx.query;
    const filter = parseLeadFilter({ quarantine });
    const page = await listLeads(administration, {
      filter,
      limit: pageSize,
      after: typeof after === 'string' ? refuseNul(after) : undefined,
    });
    showInboxPage(ctx, 'Leads', ctx.state.token, listPage(page, filter, ctx.state.token));
  });
  // POST, so that search terms, which are personal data, never appear in URLs or proxy logs.
  router.post(`${inbox}/search`, read, strictSameOrigin, jsonOrFormBody, async (ctx) => {
    const text = refuseNul(formFields(ctx)['text'] ?? '');
    // Also finds leads in quarantine.
    const filter = parseLeadFilter({}, 'with');
    const page = await listLeads(administration, { filter, text, limit: pageSize });
    showInboxPage(ctx, 'Search', ctx.state.token, listPage(page, filter, ctx.state.token, text));
  });
  router.get(`${inbox}/export`, requireScope('export'), async (ctx) => {
    const leads = await withFirstRead(
      readAllLeads(administration, parseLeadFilter({ quarantine: ctx.query['quarantine'] })),
    );
    ctx.attachment('leads.csv');
    ctx.body = exportStream(leads, 'csv');
  });
  router.get(`${inbox}/dead-letters`, read, async (ctx) => {
    const listed = await listDeadLetters(administration);
    const page = deadLettersPage(listed, await countWaiting(administration), ctx.state.token);
    showInboxPage(ctx, 'Dead letters', ctx.state.token, page);
  });
  router.post(`${inbox}/dead-letters`, ...write, async (ctx) => {
    const { id } = formFields(ctx);
    await replayDeliveries(administration, id === undefined ? 'all' : [refuseNul(id)]);
    seeOther(ctx, `${inbox}/dead-letters`);
  });
  router.get(`${inbox}/:id`, read, async (ctx) => {
    const details = await readLead(administration, idOf(ctx));
    showInboxPage(ctx, details.lead.name, ctx.state.token, leadPage(details, ctx.state.token));
  });
  for (const [classification, change] of Object.entries({ spam: holdLead, 'not-spam': releaseLead })) {
    router.post(`${inbox}/:id/${classification}`, ...write, async (ctx) => {
      await change(administration, idOf(ctx));
      seeOther(ctx, `${inbox}/${encodeURIComponent(idOf(ctx))}`);
    });
  }
}

/** Reads the first item at once, because an error after the response has begun cannot become an error page. */
async function withFirstRead<Item>(items: AsyncGenerator<Item>): Promise<AsyncGenerator<Item>> {
  const first = await items.next();
  async function* all(): AsyncGenerator<Item> {
    if (first.done === true) return;
    yield first.value;
    try {
      yield* items;
    } catch (error) {
      throw new StreamError('The stream has failed.', { cause: error });
    }
  }
  return all();
}

/** Lets requests pass that have `Authorization: Bearer <token>` with a token for page reports. */
function requireReportsToken(checkToken: ReturnType<typeof createTokenCheck>): Middleware {
  return (ctx, next) => {
    const presented = /^Bearer +(\S+)$/i.exec(ctx.get('Authorization'))?.[1];
    if (presented === undefined) throw new HttpError('unauthorized');
    if (!checkToken(ctx, presented).scopes.includes('reports')) throw missingScope('reports');
    return next();
  };
}

function missingScope(scope: AdminScope): HttpError {
  return new HttpError('missing-scope', { text: `This needs a token with the scope "${scope}".` });
}

/** Finds the token that a client presents. Refuses an unknown one: 401, and an address that has failed too often: 429. */
function createTokenCheck({ tokens, clientOf, log }: Administration) {
  const failures = createCounter(failureWindowSeconds);
  return (ctx: Context, presented: string): AdminToken => {
    const { address } = clientOf(ctx.req);
    if (failures.read(address) >= maxFailures) {
      const { secondsLeft } = failures.add(address);
      throw new HttpError('too-many-failed-logins', { headers: { 'Retry-After': String(secondsLeft) } });
    }
    const token = findToken(tokens, presented);
    if (token !== undefined) return token;
    const { points } = failures.add(address);
    if (points === maxFailures) log.warn('logins from one address have failed too often, and are refused');
    throw new HttpError('unauthorized');
  };
}

/** Keeps answers from caches, and their types from guesses of the browser. */
const noStore: Middleware = (ctx, next) => {
  ctx.set('Cache-Control', 'no-store');
  ctx.set('X-Content-Type-Options', 'nosniff');
  return next();
};

/** Answers 503 while the database is unavailable. */
function orUnavailable({ database, log }: Administration): Middleware {
  return async (_ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (database.access.unavailability(error) === undefined) throw error;
      log.warn('the inbox cannot use the database', { error: describeError(error) });
      throw new HttpError('database-away', { cause: error });
    }
  };
}

/** Shows an error page, or the login again, but not to a program that reads the page reports. Returns whether it has. */
export function showInboxError(ctx: Context, { id, title, message }: HttpError): boolean {
  if (ctx.path.startsWith(pageReportCountsPath)) return false;
  const { token } = ctx.state as Partial<InboxState>;
  if (id === 'unauthorized') showInboxPage(ctx, 'Log in', token, loginPage(true));
  else showInboxPage(ctx, title, token, errorPage(message));
  return true;
}

/** Refuses NUL, which PostgreSQL does not support in text: 422. */
function refuseNul(text: string): string {
  if (text.includes('\0')) throw invalidRequest('A text must not contain the character NUL.');
  return text;
}

function idOf({ params }: RouterContext<InboxState>): string {
  return refuseNul(params['id'] ?? '');
}

/** Post/Redirect/Get, so that reloading the page does not resend the form. */
function seeOther(ctx: Context, address: string): void {
  ctx.redirect(address);
  ctx.status = 303;
}
