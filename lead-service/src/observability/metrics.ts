import { Gauge, Registry, collectDefaultMetrics, register } from 'prom-client';
import type { DeliveryBacklog } from './readiness.ts';

/** Sources of the gauges, read at each scrape. */
interface GaugeSources {
  /** Number of leads in the spool of this machine. */
  spoolDepth(): Promise<number>;
  /** Number of leads in the spool that the database rejects. */
  rejectedByDatabase(): number;
  backlog(): Promise<DeliveryBacklog>;
}

/** Metrics for Prometheus. Labels have low cardinality and no personal data. */
export interface Metrics {
  readonly contentType: string;
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>;
}

/** @param others registries with further metrics of this service */
export function createMetrics(others: readonly Registry[], sources: GaugeSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  registerGauges([registry], sources);
  // `register` is the registry of the process, to which `platform/metrics.ts` adds the metrics of events.
  const all = Registry.merge([register, registry, ...others]);
  return { contentType: all.contentType, text: () => all.metrics() };
}

function registerGauges(
  registers: Registry[],
  { spoolDepth, rejectedByDatabase, backlog }: GaugeSources,
): void {
  gauge(registers, 'spool_depth', 'Leads in the spool of this machine.', spoolDepth);
  gauge(registers, 'spool_rejected', 'Leads in the spool that the database rejects.', rejectedByDatabase);
  gauge(
    registers,
    'oldest_undelivered_seconds',
    'Age of the oldest pending delivery; 0 if there is none.',
    async () => (await backlog()).oldestSeconds,
  );
  gauge(registers, 'database_up', '1 if the database answers, 0 if not.', async () =>
    (await backlog()).isDatabaseUp ? 1 : 0,
  );
}

/** A gauge that keeps its last value if its source fails, because that must not hide the other metrics. */
function gauge(
  registers: Registry[],
  name: string,
  help: string,
  read: () => number | Promise<number>,
): void {
  const metric: Gauge = new Gauge({
    name,
    help,
    registers,
    async collect() {
      try {
        metric.set(await read());
      } catch {
        // Keeps the last value.
      }
    },
  });
}
