import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { LeadType } from '@countersign/contracts/lead';
import type { DeliveryObserver } from '../delivery/attempt-delivery.ts';
import type { CommitObserver } from '../store/lead-store.ts';
import type { LiveVersions } from '../telemetry/live-versions.ts';
import { createSiteMetrics, type SiteMetrics } from '../telemetry/site-metrics.ts';
import type { DeliveryBacklog } from './delivery-backlog.ts';

export type AcceptResult = 'stored' | 'spooled' | 'repeated' | 'quarantined';

/** Numbers of the moment, asked for at each look. */
export interface GaugeSources {
  /** How many leads wait on this machine. */
  spoolDepth(): Promise<number>;
  backlog(): Promise<DeliveryBacklog>;
  /** Whether retention erases nothing, because the clock may be wrong. */
  retentionWaits(): boolean;
}

/** What Prometheus is told. Labels have few values, none of them a person's. */
export interface Metrics {
  readonly contentType: string;
  countAccept(type: LeadType, result: AcceptResult): void;
  /** @param cause id of the error that was answered */
  countRefusal(cause: string): void;
  readonly observeCommit: CommitObserver;
  readonly observeDelivery: DeliveryObserver;
  /** What visitors' browsers tell of the page. */
  readonly site: SiteMetrics;
  /** Adds the numbers of the moment. One that cannot be had just now stands as it was. */
  watch(sources: GaugeSources): void;
  /** All of it, in the text format of Prometheus. */
  text(): Promise<string>;
}

const commitBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const groupBuckets = [1, 2, 4, 8, 16, 32, 64, 128];
const deliveryBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];

export function createMetrics(liveVersions: LiveVersions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const accepts = new Counter({
    name: 'leads_accepted_total',
    help: 'Leads that their senders were thanked for.',
    labelNames: ['type', 'result'],
    registers,
  });
  const refusals = new Counter({
    name: 'requests_refused_total',
    help: 'Requests that were answered with an error.',
    labelNames: ['cause'],
    registers,
  });
  const commits = new Histogram({
    name: 'lead_commit_seconds',
    help: 'Time that the commit of a group of leads took.',
    labelNames: ['place'],
    buckets: commitBuckets,
    registers,
  });
  const groups = new Histogram({
    name: 'lead_commit_group_size',
    help: 'Leads that were committed together.',
    labelNames: ['place'],
    buckets: groupBuckets,
    registers,
  });
  const deliveries = new Histogram({
    name: 'delivery_attempt_seconds',
    help: 'Time that an attempt to hand a lead on took.',
    labelNames: ['kind', 'outcome'],
    buckets: deliveryBuckets,
    registers,
  });
  return {
    contentType: registry.contentType,
    countAccept: (type, result) => accepts.inc({ type, result }),
    countRefusal: (cause) => refusals.inc({ cause }),
    observeCommit({ place, leads, seconds }) {
      commits.observe({ place }, seconds);
      groups.observe({ place }, leads);
    },
    observeDelivery: (kind, outcome, seconds) => deliveries.observe({ kind, outcome }, seconds),
    watch({ spoolDepth, backlog, retentionWaits }) {
      gauge(registers, 'spool_depth', 'Leads that wait on this machine for the database.', spoolDepth);
      gauge(
        registers,
        'oldest_undelivered_seconds',
        'Age of the oldest delivery that is still to be made; 0 if none is.',
        async () => (await backlog()).oldestSeconds,
      );
      gauge(
        registers,
        'clock_ahead_seconds',
        "How far the newest delivery that is still to be made lies ahead of this machine's clock; 0 if it does not.",
        async () => (await backlog()).aheadSeconds,
      );
      gauge(
        registers,
        'retention_waits',
        '1 if nothing is erased because the clock may be wrong, 0 if not.',
        async () => (retentionWaits() ? 1 : 0),
      );
      gauge(registers, 'database_up', '1 if the database answers, 0 if not.', async () =>
        (await backlog()).isKnown ? 1 : 0,
      );
    },
    site: createSiteMetrics(registers, liveVersions),
    text: () => registry.metrics(),
  };
}

function gauge(registers: Registry[], name: string, help: string, read: () => Promise<number>): void {
  const made: Gauge = new Gauge({
    name,
    help,
    registers,
    async collect() {
      try {
        made.set(await read());
      } catch {
        // What cannot be read must not hide the other numbers.
      }
    },
  });
}
