import {
  canaryGroups,
  failureCauses,
  telemetryMetrics,
  type PartReport,
  type TelemetryReport,
} from '@countersign/contracts/telemetry';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { BegunViews } from './begun-views.ts';
import type { LiveVersions } from './live-versions.ts';

/** Metrics from the telemetry of visitors' browsers. */
export interface SiteMetrics {
  /** Counts a report. May read the live page first, to learn unknown versions. */
  count(report: TelemetryReport): Promise<void>;
}

const secondBuckets = [0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 1.8, 2.5, 4, 6, 10];
const shiftBuckets = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1];
const labelNames = ['part', 'version', 'group'] as const;

export function createSiteMetrics(
  registers: Registry[],
  live: LiveVersions,
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
  const begunViews = new BegunViews(({ part, version, group }, count) => {
    // The version may have been forgotten since.
    const labels = { part, version: live.nameOf({ part, version }), group };
    begun.inc(labels, count.begun);
    settled.inc(labels, count.settled);
  });
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
      for (const counter of [views, late, begun, settled]) counter.remove(labels);
      loads.remove(labels);
      for (const cause of failureCauses) failures.remove({ ...labels, cause });
    }
  });

  function countPart({
    part,
    version,
    group,
    outcome,
    cause = 'load',
    milliseconds,
    sinceBegun,
  }: PartReport): void {
    const labels = { part, version: live.nameOf({ part, version }), group };
    if (outcome === 'begun') return begunViews.begin(labels, now());
    if (sinceBegun !== undefined) begunViews.settle(labels, sinceBegun, now());
    if (outcome === 'left') return;
    if (outcome === 'late') return late.inc(labels);
    // A version that throws has loaded before, so its view is already counted.
    if (outcome === 'loaded' || cause === 'load') views.inc(labels);
    if (outcome === 'failed') failures.inc({ ...labels, cause });
    else if (milliseconds !== undefined) loads.observe(labels, milliseconds / 1_000);
  }

  return {
    async count({ parts, vitals: measured }) {
      await live.refreshFor(parts);
      // Deduplicated, so that a forged report cannot count a view more than once.
      const once = new Map(parts.map((part) => [`${part.part} ${part.version} ${part.outcome}`, part]));
      for (const part of once.values()) countPart(part);
      for (const { name, value } of measured) {
        if (name === 'CLS') shifts.observe(value);
        else vitals.observe({ name }, value / 1_000);
      }
    },
  };
}
