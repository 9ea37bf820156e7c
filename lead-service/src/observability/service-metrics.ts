import { Gauge, Registry, collectDefaultMetrics, register } from 'prom-client';
import type { DeliveryBacklog } from './readiness.ts';

/** Sources of the gauges, read at each scrape. */
interface GaugeSources {
  /** Number of leads in the spool of this instance. */
  spoolDepth(): Promise<number>;
  /** Number of leads in the spool that the database refuses. */
  refusedByDatabase(): number;
  backlog(): Promise<DeliveryBacklog>;
}

/**
 * Metrics for Prometheus. Labels have low cardinality and no personal data.
 *
 * @param others registries with further metrics of this service
 */
export function createMetrics(
  others: readonly Registry[],
  { spoolDepth, refusedByDatabase, backlog }: GaugeSources,
): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addGauge(registry, 'spool_depth', 'Leads in the spool of this instance.', spoolDepth);
  addGauge(registry, 'spool_rejected', 'Leads in the spool that the database refuses.', refusedByDatabase);
  addGauge(
    registry,
    'oldest_undelivered_seconds',
    'Longest time since the receipt of a lead with a pending delivery, or until it, if the lead is dated ahead; 0 if there is none.',
    async () => (await backlog()).oldestSeconds,
  );
  addGauge(
    registry,
    'dead_letters',
    'Deliveries without retries left, until they are replayed, discarded or erased.',
    async () => (await backlog()).deadLetters,
  );
  addGauge(registry, 'database_up', '1 if the database answers, 0 if not.', async () =>
    (await backlog()).isDatabaseUp ? 1 : 0,
  );
  // `register` is the registry of the process, to which `platform/event-metrics.ts` adds the metrics of events.
  return Registry.merge([register, registry, ...others]);
}

/** Adds a gauge that keeps its last value if its source fails, because that must not hide the other metrics. */
function addGauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => number | Promise<number>,
): void {
  const gauge: Gauge = new Gauge({
    ...{ name, help, registers: [registry] },
    async collect() {
      try {
        gauge.set(await read());
      } catch {
        // Keeps the last value.
      }
    },
  });
}
