import type { Registry } from 'prom-client';
import type { ServerAddress } from '../http/server.ts';
import type { Intake } from '../intake/intake.ts';
import type { Log } from '../platform/log.ts';
import type { Stores } from '../lead-store/open-stores.ts';
import { startMetricsServer } from './metrics-server.ts';
import { createMetrics } from './metrics.ts';
import { createBacklogReader, createReadinessCheck, type ReadinessCheck } from './readiness.ts';

/** What is observed beside the stores and the intake. */
interface Observed {
  /** Metrics of its own. */
  readonly registry: Registry;
  /** Why the service is degraded, as sentences. */
  whyDegraded(): readonly string[];
}

interface Monitoring {
  readonly readiness: ReadinessCheck;
}

/** Connects readiness and metrics with what they observe. Starts the metrics server if it is enabled. Disposal stops everything. */
export async function startMonitoring(
  address: ServerAddress | undefined,
  { database, leads, spool }: Pick<Stores, 'database' | 'leads' | 'spool'>,
  intake: Pick<Intake, 'refusesLeads'>,
  observed: Observed,
  log: Log,
): Promise<Monitoring & AsyncDisposable> {
  await using opening = new AsyncDisposableStack();
  const backlog = createBacklogReader(database.db);
  const metrics = createMetrics([observed.registry], {
    backlog,
    spoolDepth: async () => (await spool?.depth()) ?? 0,
    rejectedByDatabase: () => leads.rejectedByDatabase(),
  });
  if (address !== undefined) {
    const server = await startMetricsServer(metrics, address, log);
    opening.defer(() => server.stop());
    log.info(`metrics on ${server.url}/metrics`);
  }
  const readiness = createReadinessCheck({
    backlog,
    spoolDepth: spool && (() => spool.depth()),
    refusesLeads: intake.refusesLeads,
    whyDegraded: () => observed.whyDegraded(),
  });
  const opened = opening.move();
  return { readiness, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
