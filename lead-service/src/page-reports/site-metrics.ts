import {
  canaryGroups,
  failureCauses,
  telemetryMetrics,
  type PartReport,
  type TelemetryReport,
} from '@countersign/contracts/telemetry';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { OpenCounter } from '../rate-limit/counters.ts';
import { BegunViews } from './begun-views.ts';
import type { LiveVersions } from './live-versions.ts';

/** Metrics from the telemetry of visitors' browsers. */
export interface SiteMetrics {
  /**
   * Counts a report. May read the live page first, to learn unknown versions.
   *
   * @param network hash of the sender's network
   */
  count(report: TelemetryReport, network: string): Promise<void>;
}

const secondBuckets = [0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 1.8, 2.5, 4, 6, 10];
const shiftBuckets = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1];
const labelNames = ['part', 'version', 'group'] as const;

/** Window in which a network counts once per version, in seconds. As long as a stage of a canary by default. */
const networkWindow = 3_600;

/** @param open opens the counters that find the first report of a network. Instances may share them */
export function createSiteMetrics(
  registers: Registry[],
  live: LiveVersions,
  open: OpenCounter,
  now: () => number = () => performance.now(),
): SiteMetrics {
  const readable: Gauge = new Gauge({
    name: telemetryMetrics.livePageUp,
    help: '1 if the service knows which versions are live, 0 if not.',
    registers,
    collect: () => readable.set(live.isReadable() ? 1 : 0),
  });
  const views = new Counter({
    name: telemetryMetrics.views,
    help: 'Page views in which a version loaded or failed to load.',
    labelNames,
    registers,
  });
  const failures = new Counter({
    name: telemetryMetrics.failures,
    help: 'Page views in which a version failed to load or threw, by cause.',
    labelNames: [...labelNames, 'cause'] as const,
    registers,
  });
  const late = new Counter({
    name: telemetryMetrics.late,
    help: 'Page views in which a version was late, loaded or not.',
    labelNames,
    registers,
  });
  const mismatches = new Counter({
    name: telemetryMetrics.mismatches,
    help: 'Page views in which a version did not hydrate the unchanged markup of the release.',
    labelNames,
    registers,
  });
  const begun = new Counter({
    name: telemetryMetrics.begun,
    help: 'Page views in which the load of a part with a canary began, after the settling time.',
    labelNames,
    registers,
    // prom-client collects the next counter after this one, in the same task.
    collect: () => begunViews.publishSettled(now()),
  });
  const settled = new Counter({
    name: telemetryMetrics.settled,
    help: 'Those of them that reported a load, a failure or an early departure.',
    labelNames,
    registers,
  });
  /** Counts of hung networks that wait for the shared counters. */
  let countingHung: Promise<unknown> = Promise.resolve();
  const countNetworks = (of: 'failures' | 'late' | 'mismatches' | 'hung', collect?: () => Promise<void>) => ({
    metric: new Counter({
      name: telemetryMetrics[`${of}Networks`],
      help: `Distinct networks within an hour with such a view: ${of}.`,
      labelNames,
      registers,
      ...(collect && { collect }),
    }),
    reports: open(`networks-${of}`, networkWindow),
  });
  const networks = {
    failures: countNetworks('failures'),
    late: countNetworks('late'),
    mismatches: countNetworks('mismatches'),
    // Collected after the begun views, which find the networks.
    hung: countNetworks('hung', async () => void (await countingHung)),
  };
  /** Begun minus settled views by network and version. One window for both, so that they cannot drift apart. */
  const balances = open('views-begun', networkWindow);
  const begunViews = new BegunViews(({ part, version, group }, count) => {
    // The version may have been forgotten since.
    const labels = { part, version: live.nameOf({ part, version }), group };
    begun.inc(labels, count.begun);
    settled.inc(labels, count.settled);
    networks.hung.metric.inc(labels, 0);
    countingHung = Promise.all([countingHung, ...count.unsettled.map((key) => countHung(labels, key))]);
  });

  async function countHung(labels: Record<(typeof labelNames)[number], string>, key: string): Promise<void> {
    // Another instance may have settled the views that began here.
    if ((await balances.read(key)) > 0 && (await networks.hung.reports.add(key)).points === 1) {
      networks.hung.metric.inc(labels);
    }
  }

  /** Whether the network has begun a view that has not settled. It cannot settle those of others, nor one twice. */
  async function canSettle(key: string): Promise<boolean> {
    if ((await balances.read(key)) <= 0) return false;
    if ((await balances.add(key, -1)).points >= 0) return true;
    // Another report was faster.
    await balances.add(key);
    return false;
  }

  const loads = new Histogram({
    name: telemetryMetrics.loadTime,
    help: 'Load time of a version.',
    labelNames,
    buckets: secondBuckets,
    registers,
  });
  const vitals = new Histogram({
    name: telemetryMetrics.webVital,
    help: 'Web vitals in seconds: FCP, INP, LCP, TTFB.',
    labelNames: ['name'] as const,
    buckets: secondBuckets,
    registers,
  });
  const shifts = new Histogram({
    name: telemetryMetrics.layoutShift,
    help: 'Cumulative layout shift (CLS) of a page view.',
    buckets: shiftBuckets,
    registers,
  });
  live.onForget(({ part, version }) => {
    for (const group of canaryGroups) {
      const labels = { part, version, group };
      const ofNetworks = Object.values(networks).map(({ metric }) => metric);
      for (const counter of [views, late, mismatches, begun, settled, ...ofNetworks]) counter.remove(labels);
      loads.remove(labels);
      for (const cause of failureCauses) failures.remove({ ...labels, cause });
    }
  });

  async function countPart(
    { part, version, group, outcome, cause = 'load', milliseconds, sinceBegun }: PartReport,
    network: string,
  ): Promise<void> {
    const labels = { part, version: live.nameOf({ part, version }), group };
    const key = [network, part, labels.version, group].join(' ');
    const countNetwork = async (of: 'failures' | 'late' | 'mismatches') => {
      if ((await networks[of].reports.add(key)).points === 1) networks[of].metric.inc(labels);
    };
    if (outcome === 'begun') {
      await balances.add(key);
      return begunViews.begin(labels, key, now());
    }
    if (sinceBegun !== undefined && (await canSettle(key))) begunViews.settle(labels, key, sinceBegun, now());
    if (outcome === 'left') return;
    if (outcome === 'late') {
      late.inc(labels);
      return countNetwork('late');
    }
    if (outcome === 'failed' && cause === 'mismatch') {
      mismatches.inc(labels);
      return countNetwork('mismatches');
    }
    // A version that throws has loaded before, so its view is already counted.
    if (outcome === 'loaded' || cause === 'load') views.inc(labels);
    if (outcome === 'failed') {
      failures.inc({ ...labels, cause });
      return countNetwork('failures');
    }
    if (milliseconds !== undefined) loads.observe(labels, milliseconds / 1_000);
  }

  return {
    async count({ parts, vitals: measured }, network) {
      await live.refreshFor(parts);
      // Deduplicated, so that a forged report cannot count or settle a view more than once.
      const once = new Map<string, PartReport>();
      const settledParts = new Set<string>();
      for (const { sinceBegun, ...report } of parts) {
        const version = `${report.part} ${report.version}`;
        const isMismatch = report.cause === 'mismatch';
        const settles = sinceBegun !== undefined && !settledParts.has(version);
        if (settles) settledParts.add(version);
        once.set(`${version} ${report.outcome} ${isMismatch}`, settles ? { ...report, sinceBegun } : report);
      }
      await Promise.all([...once.values()].map((report) => countPart(report, network)));
      for (const { name, value } of measured) {
        if (name === 'CLS') shifts.observe(value);
        else vitals.observe({ name }, value / 1_000);
      }
    },
  };
}
