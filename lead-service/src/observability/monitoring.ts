import type { Config } from '../config.ts';
import type { Intake } from '../intake/intake.ts';
import type { Log } from '../platform/log.ts';
import type { Stores } from '../lead-store/open-stores.ts';
import { watchLiveVersions } from '../page-reports/live-versions.ts';
import { openReportCounts } from '../page-reports/report-counts.ts';
import { startMetricsServer } from './metrics-server.ts';
import { createMetrics } from './metrics.ts';
import { createBacklogReader, createReadinessCheck, type ReadinessCheck } from './readiness.ts';
import type { PageReportCounter } from '../page-reports/count-page-reports.ts';

/** What routes ask about the running service, and the counter that they give page reports and leads to. */
export interface Monitoring {
  readonly readiness: ReadinessCheck;
  readonly pageReports: PageReportCounter;
}

/** Connects readiness and metrics with what they observe. Starts the metrics server if it is enabled. Disposal stops everything. */
export async function startMonitoring(
  config: Pick<Config, 'livePage' | 'metrics'>,
  { database, leads, spool }: Pick<Stores, 'database' | 'leads' | 'spool'>,
  intake: Pick<Intake, 'refusesLeads'>,
  log: Log,
): Promise<Monitoring & AsyncDisposable> {
  await using opening = new AsyncDisposableStack();
  const liveVersions = opening.adopt(watchLiveVersions(config.livePage, log), (it) => it.stop());
  const backlog = createBacklogReader(database.db);
  const reportCounts = opening.adopt(openReportCounts(database.db, log), (it) => it.stop());
  const metrics = createMetrics(liveVersions, reportCounts, {
    backlog,
    spoolDepth: async () => (await spool?.depth()) ?? 0,
    rejectedByDatabase: () => leads.rejectedByDatabase(),
  });
  opening.defer(() => metrics.pageReports.settled());
  if (config.metrics !== undefined) {
    const server = await startMetricsServer(metrics, config.metrics, log);
    opening.defer(() => server.stop());
    log.info(`metrics on ${server.url}/metrics`);
  }
  const readiness = createReadinessCheck({
    backlog,
    spoolDepth: spool && (() => spool.depth()),
    refusesLeads: intake.refusesLeads,
    whyDegraded: () => liveVersions.whyDegraded(),
  });
  const opened = opening.move();
  return {
    ...{ readiness, pageReports: metrics.pageReports },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
