import Koa from 'koa';
import type { Administration } from './admin/administration.ts';
import { apiRoutes } from './admin/api-routes.ts';
import { inboxRoutes } from './admin/inbox-routes.ts';
import type { LeadGuard } from './abuse/lead-guard.ts';
import { errorAnswers } from './error-answers.ts';
import type { Intake } from './intake.ts';
import { describeError, type Log } from './log.ts';
import { identifyRequests } from './operations/identify-requests.ts';
import type { Watch } from './operations/operations.ts';
import { healthRoutes } from './routes/health.ts';
import { formTokenRoutes } from './routes/form-token.ts';
import { leadPages } from './routes/lead-pages.ts';
import { leadRoutes } from './routes/leads.ts';
import { openApiRoutes } from './routes/openapi.ts';
import { telemetryRoutes } from './routes/telemetry.ts';
import { unmatched } from './routes/unmatched.ts';

export interface AppDependencies {
  readonly intake: Intake;
  readonly guard: LeadGuard;
  readonly log: Log;
  /** Without it the service takes leads all the same, but `/readyz` is not there. */
  readonly watch?: Watch | undefined;
}

/** Builds what visitors reach without starting it. The caller opens and closes what it depends on. */
export function createApp({ intake, guard, log, watch }: AppDependencies): Koa {
  const app = createBase({ log, watch });
  app.use(guard.crossOrigin);
  app.use(leadRoutes(intake, guard).routes());
  app.use(formTokenRoutes(guard).routes());
  app.use(leadPages().routes());
  app.use(healthRoutes(watch?.readiness).routes());
  app.use(openApiRoutes().routes());
  if (watch !== undefined) app.use(telemetryRoutes(guard, watch.site).routes());
  app.use(unmatched);
  return app;
}

/** Builds sales' side without starting it, for an address of its own: the inbox and `/admin/api`. */
export function createAdminApp(
  administration: Administration,
  { log, watch }: Pick<AppDependencies, 'log' | 'watch'>,
): Koa {
  const app = createBase({ log, watch });
  app.use(apiRoutes(administration).routes());
  app.use(inboxRoutes(administration).routes());
  app.use(unmatched);
  return app;
}

function createBase({ log, watch }: Pick<AppDependencies, 'log' | 'watch'>): Koa {
  const app = new Koa();
  // Errors after the response has begun reach no middleware.
  app.on('error', (error: unknown, ctx?: Koa.Context) => {
    if (ctx !== undefined && hasDisconnected(ctx, error)) log.info('client disconnected before its answer');
    else log.error('answer not delivered', { error: describeError(error) });
  });
  app.use(identifyRequests);
  if (watch?.traceRequests !== undefined) app.use(watch.traceRequests);
  app.use(errorAnswers(log, watch?.countRefusal));
  return app;
}

/** An error code does not tell: the connection to a database breaks off with the same ones. */
function hasDisconnected({ req }: Koa.Context, error: unknown): boolean {
  const isPrematureClose =
    error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
  return isPrematureClose || error === req.socket.errored;
}
