import { setTimeout } from 'node:timers/promises';
import type { Administration } from './admin/inbox/admin-routes.ts';
import { createAdminApp, createApp } from './app.ts';
import type { Config } from './config.ts';
import { createDelivery } from './delivery/create-delivery.ts';
import { databaseLocation } from './database/database-settings.ts';
import { deliveryConfig } from './delivery/delivery-settings.ts';
import { startServer } from './http/server.ts';
import { createIntake } from './intake/intake.ts';
import { createRetentionJob } from './admin/retention.ts';
import { startMetricsServer } from './observability/metrics-server.ts';
import { createBacklogReader, createReadinessCheck } from './observability/readiness.ts';
import { createMetrics } from './observability/service-metrics.ts';
import { openPageReports } from './page-reports/page-reports.ts';
import { type Log, noopLog } from './platform/log.ts';
import { deriveKey, readOrCreateSecret } from './platform/secret.ts';
import { createClientLocator } from './rate-limit/limit-clients.ts';
import { createCounters } from './rate-limit/counters.ts';
import { openStores } from './lead-store/open-stores.ts';

/** Starts all components of the service. Throws a `StartupError` that tells the operator what to do. */
export async function startService(config: Config, log: Log) {
  // Closes in reverse order what has been opened: at a stop, or if the start fails.
  await using opening = new AsyncDisposableStack();
  const { DATA_DIR: dataDirectory, LEADS_SECRET, TRUSTED_PROXY_HOPS } = config;
  const webhooks = config.WEBHOOKS.map(({ name }) => name);
  const stores = opening.use(await openStores(databaseLocation(config), dataDirectory, webhooks, log));
  const secret = LEADS_SECRET ?? (await readOrCreateSecret(dataDirectory));
  const { database, leads, spool } = stores;
  const context = { database, spool, dataDirectory };
  const delivery = createDelivery(deliveryConfig(config), { database, dataDirectory, log });
  const intake = createIntake(leads, log, () => delivery.notify());
  const retentionJob = createRetentionJob(context, config.RETENTION_DAYS, log);
  const pageReports = opening.use(openPageReports(config.LIVE_PAGE, database.db, log));
  const { METRICS_HOST: host, METRICS_PORT: port } = config;
  const backlog = createBacklogReader(database.db);
  if (port !== undefined) {
    const metrics = createMetrics([pageReports.registry], {
      ...{ backlog, spoolDepth: spool?.depth ?? (async () => 0) },
      refusedByDatabase: leads.refusedByDatabase,
    });
    opening.use(await startMetricsServer(metrics, { host, port }, log));
  }
  const readiness = createReadinessCheck({
    ...{ backlog, spoolDepth: spool?.depth, refusesLeads: intake.refusesLeads },
    whyDegraded: pageReports.whyDegraded,
  });
  const adminUrl = await startAdministration(opening, config, { ...context, log }, secret);
  const counters = opening.use(createCounters(database, deriveKey(secret, 'counters'), log));
  const app = createApp({
    ...{ intake, readiness, pageReports, counters, log },
    allowedOrigins: config.ALLOWED_ORIGINS,
    quota: config.LEADS_PER_ADDRESS,
    clientOf: createClientLocator(TRUSTED_PROXY_HOPS, log),
  });
  const server = await startServer(app, { host: config.LEADS_HOST, port: config.LEADS_PORT });
  // Logged only now, so that a failed start does not bury its reason.
  if (config.LIVE_PAGE === undefined) {
    log.warn('no LIVE_PAGE is set: page reports are counted without versions');
  }
  delivery.start();
  retentionJob.start();
  // The benchmarks and the tests read the URL from this line.
  log.info(`listening on ${server.url}, leads in ${database.access.where}`);
  const opened = opening.move();
  return {
    url: server.url,
    adminUrl,
    /** Graceful shutdown: closes the listeners, finishes requests in flight, and closes all resources. */
    async stop() {
      readiness.beginDraining();
      await setTimeout(config.STOP_DELAY_SECONDS * 1_000);
      // Stops the server first: requests in flight must be committed and answered before their resources close.
      await server.stop();
      await Promise.all([delivery.stop(), retentionJob.stop()]);
      await opened.disposeAsync();
    },
  };
}

/**
 * Serves the sales inbox on an address of its own, which the public proxy must not forward to. Without tokens, it does
 * not listen. Resolves to its origin.
 */
async function startAdministration(
  opening: AsyncDisposableStack,
  { ADMIN_TOKENS: tokens, ADMIN_HOST: host, ADMIN_PORT: port, TRUSTED_PROXY_HOPS: hops }: Config,
  context: Omit<Administration, 'tokens' | 'clientOf'>,
  secret: string,
): Promise<string | undefined> {
  if (tokens.length === 0) return undefined;
  // Without the warning about a missing X-Forwarded-For, because people may reach the inbox directly, without the proxies.
  const clientOf = createClientLocator(hops, noopLog);
  const app = createAdminApp({ ...context, tokens, clientOf }, secret);
  const server = opening.use(await startServer(app, { host, port }, 'ADMIN'));
  context.log.info(`inbox on ${server.url}/admin/inbox`);
  return server.url;
}
