import {
  failureCauses,
  telemetryMetrics,
  type PartReport,
  type TelemetryReport,
} from '@countersign/contracts/telemetry';
import { Counter, Histogram, type Registry } from 'prom-client';
import { KnownVersions } from './known-versions.ts';

/** What visitors' browsers tell of the page, as figures. */
export interface SiteMetrics {
  count(report: TelemetryReport): void;
}

const mostVersions = 200;
const secondBuckets = [0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 1.8, 2.5, 4, 6, 10];
const shiftBuckets = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1];
const labelNames = ['part', 'version', 'group'] as const;

export function createSiteMetrics(registers: Registry[]): SiteMetrics {
  const views = new Counter({
    name: telemetryMetrics.views,
    help: 'Views of the page in which a version loaded, or should have.',
    labelNames,
    registers,
  });
  const failures = new Counter({
    name: telemetryMetrics.failures,
    help: 'Views in which a version was given up or threw, by cause.',
    labelNames: [...labelNames, 'cause'] as const,
    registers,
  });
  const loads = new Histogram({
    name: 'site_part_load_seconds',
    help: 'Time from asking for a version to having it.',
    labelNames,
    buckets: secondBuckets,
    registers,
  });
  const vitals = new Histogram({
    name: 'site_web_vital_seconds',
    help: 'Web vitals that are times: FCP, INP, LCP, TTFB.',
    labelNames: ['name'] as const,
    buckets: secondBuckets,
    registers,
  });
  const shifts = new Histogram({
    name: 'site_layout_shift',
    help: 'Cumulative layout shift (CLS) of a view.',
    buckets: shiftBuckets,
    registers,
  });
  const known = new KnownVersions(mostVersions, ({ part, version, group }) => {
    const labels = { part, version, group };
    views.remove(labels);
    loads.remove(labels);
    for (const cause of failureCauses) failures.remove({ ...labels, cause });
  });

  function countPart({ part, version, group, outcome, cause = 'load', milliseconds }: PartReport): void {
    const labels = { part, version, group };
    known.see(labels);
    // What throws has loaded before, and was counted then.
    if (outcome === 'loaded' || cause === 'load' || cause === 'timeout') views.inc(labels);
    if (outcome === 'failed') failures.inc({ ...labels, cause });
    else if (milliseconds !== undefined) loads.observe(labels, milliseconds / 1_000);
  }

  return {
    count({ parts, vitals: measured }) {
      // A view counts once: nobody makes many of one.
      const once = new Map(parts.map((part) => [`${part.part} ${part.version} ${part.outcome}`, part]));
      for (const part of once.values()) countPart(part);
      for (const { name, value } of measured) {
        if (name === 'CLS') shifts.observe(value);
        else vitals.observe({ name }, value / 1_000);
      }
    },
  };
}
