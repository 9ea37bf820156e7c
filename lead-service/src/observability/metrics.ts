import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { attemptEvents } from '../delivery/attempt-delivery.ts';
import { refusalEvents } from '../http/error-answers.ts';
import { submissionEvents } from '../intake/intake.ts';
import type { Log } from '../platform/log.ts';
import { commitEvents } from '../lead-store/lead-store.ts';
import type { DeliveryBacklog } from './delivery-backlog.ts';
import type { LiveVersions } from '../page-reports/live-versions.ts';
import type { ReportCounts } from '../page-reports/report-counts.ts';
import { createPageReportCounter, type PageReportCounter } from '../page-reports/count-page-reports.ts';

/** Sources of the gauges, read at each scrape. */
interface GaugeSources {
  /** Number of leads in the spool of this machine. */
  spoolDepth(): Promise<number>;
  /** Number of leads in the spool that the database rejects. */
  spoolRejected(): number;
  backlog(): Promise<DeliveryBacklog>;
}

/** Metrics for Prometheus. Labels have low cardinality and no personal data. */
export interface Metrics extends Disposable {
  readonly contentType: string;
  readonly pageReports: PageReportCounter;
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>;
}

const commitBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const groupBuckets = [1, 2, 4, 8, 16, 32, 64, 128];
const deliveryBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];

/** Registers all metrics. Disposal ends the counting of events. */
export function createMetrics(
  log: Log,
  liveVersions: LiveVersions,
  reportCounts: Pick<ReportCounts, 'add'>,
  sources: GaugeSources,
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const subscriptions = countEvents(registers, log);
  registerGauges(registers, sources);
  return {
    contentType: registry.contentType,
    pageReports: createPageReportCounter(registers, liveVersions, reportCounts),
    text: () => registry.metrics(),
    [Symbol.dispose]: () => subscriptions[Symbol.dispose](),
  };
}

function countEvents(registers: Registry[], log: Log): Disposable {
  const accepts = new Counter({
    name: 'leads_accepted_total',
    help: 'Acknowledged leads.',
    labelNames: ['type', 'result'],
    registers,
  });
  const refusals = new Counter({
    name: 'requests_refused_total',
    help: 'Requests answered with an error.',
    labelNames: ['cause'],
    registers,
  });
  const commits = new Histogram({
    name: 'lead_commit_seconds',
    help: 'Duration of the commit of a batch of leads.',
    labelNames: ['place'],
    buckets: commitBuckets,
    registers,
  });
  const groups = new Histogram({
    name: 'lead_commit_group_size',
    help: 'Leads per commit.',
    labelNames: ['place'],
    buckets: groupBuckets,
    registers,
  });
  const deliveries = new Histogram({
    name: 'delivery_attempt_seconds',
    help: 'Duration of a delivery attempt.',
    labelNames: ['kind', 'outcome'],
    buckets: deliveryBuckets,
    registers,
  });
  const subscriptions = new DisposableStack();
  subscriptions.use(
    submissionEvents.subscribe(log, ({ type, isQuarantined, outcome }) => {
      // The others are answered with an error, and counted as refusals.
      if (outcome === 'key-reused' || outcome === 'unavailable') return;
      accepts.inc({ type, result: outcome === 'stored' && isQuarantined ? 'quarantined' : outcome });
    }),
  );
  subscriptions.use(refusalEvents.subscribe(log, (refusal) => refusals.inc(refusal)));
  subscriptions.use(
    commitEvents.subscribe(log, ({ place, leads, seconds }) => {
      commits.observe({ place }, seconds);
      groups.observe({ place }, leads);
    }),
  );
  subscriptions.use(
    attemptEvents.subscribe(log, ({ kind, outcome, seconds }) =>
      deliveries.observe({ kind, outcome }, seconds),
    ),
  );
  return subscriptions;
}

function registerGauges(registers: Registry[], { spoolDepth, spoolRejected, backlog }: GaugeSources): void {
  gauge(registers, 'spool_depth', 'Leads in the spool of this machine.', spoolDepth);
  gauge(registers, 'spool_rejected', 'Leads in the spool that the database rejects.', spoolRejected);
  gauge(
    registers,
    'oldest_undelivered_seconds',
    'Age of the oldest pending delivery; 0 if there is none.',
    async () => (await backlog()).oldestSeconds,
  );
  gauge(registers, 'database_up', '1 if the database answers, 0 if not.', async () =>
    (await backlog()).isKnown ? 1 : 0,
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
