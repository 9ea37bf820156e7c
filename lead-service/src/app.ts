import { brand } from '@countersign/contracts/brand';
import Router from '@koa/router';
import Koa from 'koa';
import { noStore, orUnavailable, type Administration, authorize } from './admin-http/administration.ts';
import { adminRoutes } from './admin-http/api-routes.ts';
import { inboxRoutes, showInboxError } from './admin-http/inbox-routes.ts';
import { crossOriginPaths } from './http/cross-origin.ts';
import { errorAnswers, type ShowError } from './http/error-answers.ts';
import { StreamError } from './http/http-error.ts';
import { mountRoutes, unmatched } from './http/mount-routes.ts';
import { openApiDocument } from './http/openapi-document.ts';
import type { Intake } from './intake/intake.ts';
import { showLeadError, thanksRoutes } from './intake/lead-pages.ts';
import { leadRoutes, type LeadServices } from './intake/leads.ts';
import { documentRoute, healthRoute, readinessRoute } from './observability/health.ts';
import { identifyRequests } from './observability/identify-requests.ts';
import type { Watch } from './observability/operations.ts';
import { pageReportRoute, type PageReportServices } from './page-reports/page-report-route.ts';
import { describeError, type Log } from './platform/log.ts';
import type { LeadGuard } from './intake/lead-guard.ts';

const leads = {
  name: 'leads',
  description: 'Leads of the forms.',
  routes: [...leadRoutes, ...thanksRoutes],
};

export const apiDocument = () =>
  openApiDocument(
    {
      title: `${brand} lead service`,
      version: '1.0.0',
      description: 'Stores leads durably before it acknowledges them.',
      contact: { name: brand },
      license: { name: 'All rights reserved' },
    },
    [
      leads,
      {
        name: 'reports',
        description: 'Page reports.',
        routes: [pageReportRoute],
      },
      {
        name: 'operations',
        description: 'Liveness, readiness and this document.',
        routes: [healthRoute, readinessRoute, documentRoute],
      },
      {
        name: 'administration',
        description: 'Admin API, on a separate address.',
        routes: adminRoutes,
        servers: [
          {
            url: 'http://{host}:{port}',
            description: 'Address of the admin server.',
            variables: { host: { default: '127.0.0.1' }, port: { default: '3002' } },
          },
        ],
      },
    ],
  );

let documentText: string | undefined;
/** Written at the first request, because writing it takes a noticeable part of the start. */
const readDocument = () => (documentText ??= JSON.stringify(apiDocument()));

interface AppDependencies {
  readonly intake: Intake;
  readonly guard: LeadGuard;
  readonly log: Log;
  /** Optional: without it, the service accepts leads, but has no `/readyz` and knows no versions of parts. */
  readonly watch?: Pick<Watch, 'readiness' | 'liveVersions'> | undefined;
  readonly pageReports?: PageReportServices | undefined;
}

/** Builds the public app without starting it. The caller opens and closes its dependencies. */
export function createApp({ intake, guard, log, watch, pageReports }: AppDependencies): Koa {
  const app = createBase(log, showLeadError);
  const router = new Router();
  router.options([...crossOriginPaths], guard.crossOrigin);
  const countLead: LeadServices['countLead'] = (attribution) => pageReports?.counter.countLead(attribution);
  mountRoutes(router, leads.routes, () => ({ intake, guard, countLead, versions: watch?.liveVersions }));
  mountRoutes(router, [healthRoute, documentRoute], () => readDocument);
  if (watch !== undefined) mountRoutes(router, [readinessRoute], () => watch.readiness);
  if (pageReports !== undefined) mountRoutes(router, [pageReportRoute], () => pageReports);
  app.use(router.routes());
  app.use(unmatched);
  return app;
}

/** Builds the app of the sales inbox and `/admin/api` without starting it. It listens on an address of its own. */
export function createAdminApp(administration: Administration, { log }: Pick<AppDependencies, 'log'>): Koa {
  const app = createBase(log, showInboxError);
  const router = new Router().use(noStore, orUnavailable(administration));
  mountRoutes(router, adminRoutes, (ctx, scope) => authorize(administration, ctx, scope));
  app.use(router.routes());
  app.use(inboxRoutes(administration).routes());
  app.use(unmatched);
  return app;
}

function createBase(log: Log, showError: ShowError): Koa {
  const app = new Koa();
  // Koa emits errors here that occur after the response has begun, because no middleware can catch them.
  app.on('error', (error: unknown, ctx?: Koa.Context) => {
    if (ctx !== undefined && hasDisconnected(ctx, error)) log.info('client disconnected before the response');
    else log.error('response not delivered', { error: describeError(error) });
  });
  app.use(identifyRequests);
  app.use(errorAnswers(log, showError));
  return app;
}

/**
 * Compares the error with the socket's, because error codes such as ECONNRESET also come from database connections. An
 * error of the stream itself closes the socket, too.
 */
function hasDisconnected({ req }: Koa.Context, error: unknown): boolean {
  if (error instanceof StreamError || req.socket.errored instanceof StreamError) return false;
  const isPrematureClose =
    error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
  return isPrematureClose || error === req.socket.errored;
}
