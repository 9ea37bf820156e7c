import Router, { type RouterContext } from '@koa/router';
import type Koa from 'koa';
import { type Administration, adminRoutes, showInboxError } from './admin/inbox/admin-routes.ts';
import { createBase } from './http/base-app.ts';
import { HttpError } from './http/errors.ts';
import { showLeadError } from './intake/lead-pages.ts';
import { addLeadRoutes, type LeadServices } from './intake/leads.ts';
import type { ReadinessCheck } from './observability/readiness.ts';
import type { PageReports } from './page-reports/page-reports.ts';
import { addPageReportRoute } from './page-reports/page-report-route.ts';
import { createSpamFilter } from './intake/spam-filter.ts';
import { deriveKey } from './platform/secret.ts';

interface AppDependencies extends Omit<LeadServices, 'classify' | 'countLead'> {
  readonly readiness: ReadinessCheck;
  readonly pageReports: Pick<PageReports, 'count' | 'countLead'>;
}

/** Builds the public app without starting it. The caller opens and closes its dependencies. */
export function createApp({ readiness, ...dependencies }: AppDependencies): Koa {
  const app = createBase(dependencies.log, showLeadError);
  const router = new Router({ sensitive: true });
  addLeadRoutes(router, {
    ...dependencies,
    classify: createSpamFilter(dependencies.counters),
    countLead: dependencies.pageReports.countLead,
  });
  addPageReportRoute(router, dependencies);
  // Liveness, which checks nothing: for a supervisor that restarts a stalled process.
  router.get('/healthz', (ctx) => {
    ctx.type = 'text/plain';
    ctx.body = 'ok';
  });
  // Readiness, for a load balancer, which sends no requests to an instance that answers 503.
  router.get('/readyz', async (ctx) => {
    const found = await readiness.check();
    ctx.status = found.status === 'unavailable' ? 503 : 200;
    ctx.set('Cache-Control', 'no-store');
    ctx.body = found;
  });
  app.use(router.routes());
  app.use(unmatched);
  return app;
}

/** Builds the app of the inbox and the page reports without starting it. It listens on an address of its own. */
export function createAdminApp(administration: Administration, secret: string): Koa {
  const app = createBase(administration.log, showInboxError);
  app.keys = [deriveKey(secret, 'session').toString('base64')];
  app.use(adminRoutes(administration).routes());
  app.use(unmatched);
  return app;
}

/** Fallback after all routes: answers 404 for an unknown path, and 405 for a wrong method. */
function unmatched({ matched = [] }: Pick<RouterContext, 'matched'>): never {
  // OPTIONS only answers preflights of allowed origins.
  const methods = new Set(matched.flatMap((layer) => layer.methods.filter((name) => name !== 'OPTIONS')));
  if (methods.size === 0) throw new HttpError('unknown-path');
  const allowed = [...methods].join(', ');
  throw new HttpError('method-not-allowed', {
    text: `This address only answers ${allowed}.`,
    headers: { Allow: allowed },
  });
}
