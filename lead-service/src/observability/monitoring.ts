import type { Kysely } from 'kysely';
import type { Registry } from 'prom-client';
import type { Tables } from '../database/tables.ts';
import type { ServerAddress } from '../http/server.ts';
import type { Log } from '../platform/log.ts';
import { startMetricsServer } from './metrics-server.ts';
import { createMetrics, type GaugeSources } from './service-metrics.ts';
import {
  createBacklogReader,
  createReadinessCheck,
  type ReadinessCheck,
  type ReadinessSources,
} from './readiness.ts';

interface Observed extends Omit<ReadinessSources, 'backlog'>, Pick<GaugeSources, 'refusedByDatabase'> {
  readonly db: Kysely<Tables>;
  /** Further metrics. */
  readonly registry: Registry;
}

/**
 * Connects readiness and metrics with what they observe. Starts the metrics server if it has an address. Disposal stops it.
 */
export async function startMonitoring(
  address: ServerAddress | undefined,
  { db, registry, refusedByDatabase, ...sources }: Observed,
  log: Log,
): Promise<{ readonly readiness: ReadinessCheck } & AsyncDisposable> {
  const backlog = createBacklogReader(db);
  const { spoolDepth = async () => 0 } = sources;
  const metrics = createMetrics([registry], { backlog, spoolDepth, refusedByDatabase });
  const server = address && (await startMetricsServer(metrics, address, log));
  if (server) log.info(`metrics on ${server.url}/metrics`);
  return {
    readiness: createReadinessCheck({ backlog, ...sources }),
    [Symbol.asyncDispose]: async () => server?.stop(),
  };
}
