import Router, { type RouterContext } from '@koa/router';
import type { Middleware } from 'koa';
import { AnswerableError } from '../errors.ts';
import { formFields, leadBody } from '../form-body.ts';
import { recordAudit } from '../sales/audit.ts';
import { choice, parseLeadFilter } from '../sales/lead-filter.ts';
import { listLeads } from '../sales/list-leads.ts';
import { readLead } from '../sales/read-lead.ts';
import { releaseLead } from '../sales/release-lead.ts';
import { invalidRequest } from '../sales/sales-errors.ts';
import { setStatus } from '../sales/set-status.ts';
import { leadStatuses } from '../store/tables.ts';
import { forgedForm } from './admin-errors.ts';
import { findToken } from './admin-token.ts';
import { allow, deskOf, privately, type Administration, type AdminState } from './administration.ts';
import { answerExport } from './answer-export.ts';
import { parseId, parseWord } from './api-words.ts';
import { endSession } from './ended-sessions.ts';
import { errorPage, loginPage, showInboxPage } from './inbox-frame.ts';
import { inboxStyles } from './inbox-styles.ts';
import { leadPage } from './lead-page.ts';
import { listPage } from './list-page.ts';
import { ownOrigin } from './own-origin.ts';
import { createSessions, type Session } from './session.ts';

const pageSize = 50;
const inbox = '/admin/inbox';
const login = '/admin/login';

interface InboxState extends AdminState {
  readonly session: Session;
}
type InboxContext = RouterContext<InboxState>;

/** The inbox: pages for people, without a script. */
export function inboxRoutes(administration: Administration): Router<InboxState> {
  const { tokens, secret, database, failedLogins } = administration;
  const sessions = createSessions(tokens, secret, database);
  const desk = ({ state }: Pick<InboxContext, 'state'>) => deskOf(administration, state.token);
  const router = new Router<InboxState>({ prefix: '/admin' });
  router.use(privately(administration), showErrors);

  /** Sends whoever is not logged in to the login. */
  const loggedIn: Middleware<InboxState> = async (ctx, next) => {
    const session = await sessions.find(ctx);
    if (session === undefined) return ctx.redirect(login);
    ctx.state = { ...ctx.state, session, token: session.token };
    return next();
  };
  /** Reads a form, if it was made for this session and sent from a page of ours. */
  const ownForm: Middleware<InboxState> = (ctx, next) => {
    if (sessions.isOwnForm(ctx.state.session, formFields(ctx)['csrf'] ?? '')) return next();
    throw forgedForm();
  };

  router.get('/', (ctx) => ctx.redirect(inbox));
  router.get('/inbox.css', (ctx) => {
    ctx.set('Cache-Control', 'max-age=3600');
    ctx.type = 'css';
    ctx.body = inboxStyles;
  });

  router.get('/login', (ctx) => showInboxPage(ctx, 'Log in', undefined, loginPage(false)));
  router.post('/login', ownOrigin, leadBody, async (ctx) => {
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
  router.post('/logout', loggedIn, ownOrigin, leadBody, ownForm, async (ctx) => {
    const { session } = ctx.state;
    await database.db.transaction().execute(async (transaction) => {
      await endSession(transaction, session);
      await recordAudit(transaction, session.token.name, [{ action: 'inbox.logout' }]);
    });
    sessions.forget(ctx);
    seeOther(ctx, login);
  });

  router.get('/inbox', loggedIn, allow('read'), async (ctx) => {
    const filter = parseLeadFilter(ctx.query);
    const page = await listLeads(desk(ctx), {
      filter,
      limit: pageSize,
      after: parseWord('after', ctx.query['after']),
    });
    showInboxPage(ctx, 'Leads', ctx.state.session, listPage(page, filter, ctx.state.session));
  });
  // Not in the address: what is searched for is about a person.
  router.post('/inbox/search', loggedIn, allow('read'), ownOrigin, leadBody, ownForm, async (ctx) => {
    const text = parseWord('text', formFields(ctx)['text']) ?? '';
    const filter = parseLeadFilter({}, 'with');
    const page = await listLeads(desk(ctx), { filter, text, limit: pageSize });
    showInboxPage(ctx, 'Search', ctx.state.session, listPage(page, filter, ctx.state.session, text));
  });
  router.get('/inbox/export', loggedIn, allow('export'), (ctx) => answerExport(ctx, desk(ctx)));
  router.get('/inbox/:id', loggedIn, allow('read'), async (ctx) => {
    const file = await readLead(desk(ctx), parseId(ctx.params['id']));
    const title = file.lead.name || 'Erased lead';
    showInboxPage(ctx, title, ctx.state.session, leadPage(file, ctx.state.session));
  });
  router.post('/inbox/:id/status', loggedIn, allow('write'), ownOrigin, leadBody, ownForm, async (ctx) => {
    const status = choice('status', formFields(ctx)['status'], leadStatuses);
    if (status === undefined) throw invalidRequest('Choose a status.');
    await setStatus(desk(ctx), parseId(ctx.params['id']), status);
    seeOther(ctx, leadAddress(ctx));
  });
  router.post('/inbox/:id/not-spam', loggedIn, allow('write'), ownOrigin, leadBody, ownForm, async (ctx) => {
    await releaseLead(desk(ctx), parseId(ctx.params['id']));
    seeOther(ctx, leadAddress(ctx));
  });
  return router;
}

/** Errors for people, as a page. */
const showErrors: Middleware<InboxState> = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    if (!(error instanceof AnswerableError)) throw error;
    ctx.status = error.status;
    ctx.set(error.headers);
    showInboxPage(ctx, error.title, ctx.state.session, errorPage(error.message));
  }
};

/** Reloading where it leads to sends nothing again. */
function seeOther(ctx: InboxContext, address: string): void {
  ctx.redirect(address);
  ctx.status = 303;
}

function leadAddress({ params }: InboxContext): string {
  return `${inbox}/${encodeURIComponent(params['id'] ?? '')}`;
}
