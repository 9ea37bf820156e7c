import Router, { type RouterContext } from '@koa/router';
import type { Context, Middleware } from 'koa';
import * as z from 'zod/mini';
import { leadStatuses } from '../database/tables.ts';
import { forgedForm, invalidRequest } from '../http/errors.ts';
import type { HttpError } from '../http/http-error.ts';
import { parseInput } from '../http/parse-input.ts';
import { formFields, jsonOrFormBody } from '../http/request-body.ts';
import { strictSameOrigin } from '../http/same-origin.ts';
import { recordAudit } from '../lead-admin/audit.ts';
import { choice, parseLeadFilter } from '../lead-admin/lead-filter.ts';
import { holdLead, setStatus, releaseLead } from '../lead-admin/change-lead.ts';
import { listLeads } from '../lead-admin/list-leads.ts';
import { readLead } from '../lead-admin/read-lead.ts';
import { findToken, type AdminScope } from './admin-token.ts';
import {
  requireScope,
  adminContextOf,
  noStore,
  orUnavailable,
  type Administration,
  type AdminState,
} from './administration.ts';
import { answerExport } from './answer-export.ts';
import { exportQuery, leadParams, textOf } from './request-schemas.ts';
import { revokeSession, createSessions, type Session, type Sessions } from './session.ts';
import { errorPage, loginPage, showInboxPage } from './inbox-frame.ts';
import { inboxStyles } from './inbox-styles.ts';
import { leadPage } from './lead-page.ts';
import { listPage } from './list-page.ts';

const pageSize = 50;
const inbox = '/admin/inbox';
const login = '/admin/login';

interface InboxState extends AdminState {
  readonly isInbox: true;
  readonly session: Session;
}
type InboxContext = RouterContext<InboxState>;

/** The inbox: HTML pages without script. */
export function inboxRoutes(administration: Administration): Router<InboxState> {
  const { tokens, secret, database } = administration;
  const sessions = createSessions(tokens, secret, database);
  const checks = createChecks(sessions);
  const router = new Router<InboxState>({ prefix: '/admin' });
  router.use(noStore, markAsInbox, orUnavailable(administration));

  router.get('/', (ctx) => ctx.redirect(inbox));
  router.get('/inbox.css', (ctx) => {
    ctx.set('Cache-Control', 'max-age=3600');
    ctx.type = 'css';
    ctx.body = inboxStyles;
  });

  addLoginRoutes(router, administration, sessions, checks);
  addLeadRoutes(router, administration, checks);
  return router;
}

type Checks = ReturnType<typeof createChecks>;

function createChecks(sessions: Sessions) {
  const requireLogin: Middleware<InboxState> = async (ctx, next) => {
    const session = await sessions.find(ctx);
    if (session === undefined) return ctx.redirect(login);
    ctx.state = { ...ctx.state, session, token: session.token };
    await next();
  };
  /** Refuses forms without the CSRF token of the session: 403. */
  const requireCsrfToken: Middleware<InboxState> = (ctx, next) => {
    if (sessions.isCsrfTokenOf(ctx.state.session, formFields(ctx)['csrf'] ?? '')) return next();
    throw forgedForm();
  };
  /** Checks of a form whose sender needs the scope. They read the body only for a sender who passes the others. */
  const formOf = (scope: AdminScope): readonly Middleware<InboxState>[] => [
    requireLogin,
    requireScope(scope),
    strictSameOrigin,
    jsonOrFormBody,
    requireCsrfToken,
  ];
  return { requireLogin, requireCsrfToken, formOf };
}

function addLoginRoutes(
  router: Router<InboxState>,
  { tokens, database, failedLogins }: Administration,
  sessions: Sessions,
  { requireLogin, requireCsrfToken }: Checks,
): void {
  router.get('/login', (ctx) => showInboxPage(ctx, 'Log in', undefined, loginPage(false)));
  router.post('/login', strictSameOrigin, jsonOrFormBody, async (ctx) => {
    await failedLogins.refuseRepeated(ctx.req, 'inbox.login-failed');
    const token = findToken(tokens, formFields(ctx)['token']?.trim() ?? '');
    if (token === undefined) {
      await failedLogins.record(ctx.req, 'inbox.login-failed');
      ctx.status = 401;
      return showInboxPage(ctx, 'Log in', undefined, loginPage(true));
    }
    sessions.begin(ctx, token);
    await database.db
      .transaction()
      .execute((transaction) => recordAudit(transaction, token.name, [{ action: 'inbox.login' }]));
    seeOther(ctx, inbox);
  });
  router.post('/logout', requireLogin, strictSameOrigin, jsonOrFormBody, requireCsrfToken, async (ctx) => {
    const { session } = ctx.state;
    await database.db.transaction().execute(async (transaction) => {
      await revokeSession(transaction, session);
      await recordAudit(transaction, session.token.name, [{ action: 'inbox.logout' }]);
    });
    sessions.forget(ctx);
    seeOther(ctx, login);
  });
}

function addLeadRoutes(
  router: Router<InboxState>,
  administration: Administration,
  { requireLogin, formOf }: Checks,
): void {
  const context = ({ state }: Pick<InboxContext, 'state'>) => adminContextOf(administration, state.token);
  router.get('/inbox', requireLogin, requireScope('read'), async (ctx) => {
    const filter = parseLeadFilter(ctx.query);
    const page = await listLeads(context(ctx), {
      filter,
      limit: pageSize,
      after: parseInput(z.optional(textOf('after')), ctx.query['after']),
    });
    showInboxPage(ctx, 'Leads', ctx.state.session, listPage(page, filter, ctx.state.session));
  });
  // POST, so that search terms, which are personal data, never appear in URLs or proxy logs.
  router.post('/inbox/search', ...formOf('read'), async (ctx) => {
    const text = parseInput(z._default(textOf('text'), ''), formFields(ctx)['text']);
    const filter = parseLeadFilter({}, 'with');
    const page = await listLeads(context(ctx), { filter, text, limit: pageSize });
    showInboxPage(ctx, 'Search', ctx.state.session, listPage(page, filter, ctx.state.session, text));
  });
  router.get('/inbox/export', requireLogin, requireScope('export'), (ctx) =>
    answerExport(ctx, context(ctx), parseInput(exportQuery, ctx.query)),
  );
  router.get('/inbox/:id', requireLogin, requireScope('read'), async (ctx) => {
    const file = await readLead(context(ctx), parseInput(leadParams, ctx.params).id);
    const title = file.lead.name || 'Erased lead';
    showInboxPage(ctx, title, ctx.state.session, leadPage(file, ctx.state.session));
  });
  router.post('/inbox/:id/status', ...formOf('write'), async (ctx) => {
    const status = parseInput(choice('status', leadStatuses), formFields(ctx)['status']);
    if (status === undefined) throw invalidRequest('Choose a status.');
    await setStatus(context(ctx), parseInput(leadParams, ctx.params).id, status);
    seeOther(ctx, leadAddress(ctx));
  });
  for (const [classification, change] of Object.entries({ spam: holdLead, 'not-spam': releaseLead })) {
    router.post(`/inbox/:id/${classification}`, ...formOf('write'), async (ctx) => {
      await change(context(ctx), parseInput(leadParams, ctx.params).id);
      seeOther(ctx, leadAddress(ctx));
    });
  }
}

/** For {@link showInboxError}, which also handles errors of other paths. */
const markAsInbox: Middleware<InboxState> = (ctx, next) => {
  ctx.state = { ...ctx.state, isInbox: true };
  return next();
};

/** Shows an error page if the request is one to the inbox. Returns whether it is. */
export function showInboxError(ctx: Context, { title, message }: HttpError): boolean {
  const { isInbox = false, session } = ctx.state as Partial<InboxState>;
  if (isInbox) showInboxPage(ctx, title, session, errorPage(message));
  return isInbox;
}

/** Post/Redirect/Get, so that reloading the page does not resend the form. */
function seeOther(ctx: InboxContext, address: string): void {
  ctx.redirect(address);
  ctx.status = 303;
}

function leadAddress({ params }: InboxContext): string {
  return `${inbox}/${encodeURIComponent(params['id'] ?? '')}`;
}
