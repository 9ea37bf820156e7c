import type { Middleware } from 'koa';
import type { DeliveryObserver } from '../delivery/attempt-delivery.ts';
import type { Intake } from '../intake.ts';
import type { Log } from '../log.ts';
import type { Sweeper } from '../privacy/sweeper.ts';
import type { CommitObserver, LeadStore } from '../store/lead-store.ts';
import type { Stores } from '../store/open-stores.ts';
import { countAccepts } from './count-accepts.ts';
import { watchBacklog } from './delivery-backlog.ts';
import { startMetricsServer, type MetricsServer } from './metrics-server.ts';
import { createMetrics } from './metrics.ts';
import type { OperationsConfig } from './operations-config.ts';
import { createReadinessCheck, type ReadinessCheck } from './readiness.ts';
import { createStoreWatch } from './store-watch.ts';
import { openTraces } from './traces.ts';
import { watchLiveVersions } from '../telemetry/live-versions.ts';
import type { SiteMetrics } from '../telemetry/site-metrics.ts';

/** What the application needs to be watched. */
export interface Watch {
  readonly readiness: ReadinessCheck;
  /** @param cause id of the error that was answered */
  countRefusal(cause: string): void;
  readonly site: SiteMetrics;
  /** A span for each request, if spans are wanted. */
  readonly traceRequests: Middleware | undefined;
}

/** Everything by which a running service is watched. */
export interface Operations {
  readonly observeCommit: CommitObserver;
  readonly observeDelivery: DeliveryObserver;
  countAccepts(intake: Intake): Intake;
  /** A store by which is known whether leads can be stored. */
  watchStore(store: Pick<LeadStore, 'add'>): Pick<LeadStore, 'add'>;
  /** Begins to look at the stores, and to serve metrics if they are wanted. */
  watch(stores: Pick<Stores, 'database' | 'spool'>, retention: Pick<Sweeper, 'waitsFor'>): Promise<Watch>;
  stop(): Promise<void>;
}

export async function openOperations(config: OperationsConfig, log: Log): Promise<Operations> {
  const liveVersions = watchLiveVersions(config.livePage, log);
  const metrics = createMetrics(liveVersions);
  const traces = await openTraces(config.tracesUrl);
  const storeWatch = createStoreWatch();
  let server: MetricsServer | undefined;
  return {
    observeCommit(commit) {
      metrics.observeCommit(commit);
      traces?.observeCommit(commit);
    },
    observeDelivery(...attempt) {
      metrics.observeDelivery(...attempt);
      traces?.observeDelivery(...attempt);
    },
    countAccepts: (intake) => countAccepts(intake, metrics),
    watchStore: (store) => storeWatch.watched(store),
    async watch({ database, spool }, retention) {
      const backlog = watchBacklog(database.db);
      metrics.watch({
        backlog,
        spoolDepth: async () => (await spool?.depth()) ?? 0,
        retentionWaits: () => retention.waitsFor !== undefined,
      });
      if (config.metrics !== undefined) {
        server = await startMetricsServer(metrics, config.metrics, log);
        log.info(`metrics on ${server.url}/metrics`);
      }
      return {
        readiness: createReadinessCheck({
          backlog,
          spoolDepth: spool && (() => spool.depth()),
          refusesLeads: () => storeWatch.refusesLeads(),
          databaseFault: () => database.access.fault(),
          spoolFault: () => spool?.access.fault(),
          lateAfterSeconds: config.lateAfterSeconds,
          otherReasons: () =>
            [...liveVersions.reasons(), retention.waitsFor].filter((reason) => reason !== undefined),
        }),
        countRefusal: (cause) => metrics.countRefusal(cause),
        site: metrics.site,
        traceRequests: traces?.middleware,
      };
    },
    async stop() {
      liveVersions.stop();
      await server?.stop();
      await traces?.stop();
    },
  };
}
