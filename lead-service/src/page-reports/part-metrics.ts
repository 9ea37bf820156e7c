import { bucketName, secondBounds } from '@countersign/contracts/page-reports';
import { canaryGroups, failureCauses, telemetryMetrics } from '@countersign/contracts/telemetry';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { PartVersion } from './live-page.ts';
import type { ReportCounts, VersionLabels } from './report-counts.ts';

/** What is counted of a version, with its description. Failures and load times are counted apart. */
const measures = {
  views: 'Page views in which a version loaded or failed to load.',
  late: 'Page views in which a version was late, loaded or not.',
  mismatches: 'Page views in which a version did not hydrate the unchanged markup of the release.',
  begun: 'Page views in which the load of a part with a canary began, after the settling time.',
  settled: 'Those of them that reported a load, a failure or an early departure.',
  used: 'Page views whose slowest interaction was with a version.',
  slow: 'Those of them in which it took longer than 0.2 s.',
  leads: 'Distinct networks within an hour with a lead that is not in quarantine as spam.',
  failuresNetworks: 'Distinct networks within an hour with such a view: failures.',
  lateNetworks: 'Distinct networks within an hour with such a view: late.',
  mismatchesNetworks: 'Distinct networks within an hour with such a view: mismatches.',
  slowNetworks: 'Distinct networks within an hour with such a view: slow.',
  hungNetworks: 'Distinct networks within an hour with such a view: hung.',
} as const;
type PartMeasure = keyof typeof measures;
const partMeasures = Object.keys(measures) as PartMeasure[];

const labelNames = ['part', 'version', 'group'] as const;

/** Labels in Prometheus, which are the same for all releases. */
const seriesOf = ({ part, version, group }: VersionLabels) => ({ part, version, group });

/** Counts of versions: of this process for Prometheus, and of all instances in the database. */
interface PartMetrics {
  /** @param points 1 by default; 0 only creates the series in Prometheus */
  count(measure: PartMeasure, labels: VersionLabels, points?: number): void;
  countFailure(labels: VersionLabels, cause: (typeof failureCauses)[number]): void;
  /** @param seconds load time */
  countLoad(labels: VersionLabels, seconds: number): void;
  /** Removes the metrics of a version. Its counts in the database stay. */
  forget(version: PartVersion): void;
}

/** @param collect is called when Prometheus reads the measure, which it does in the order above: `begun` before `hungNetworks` */
export function createPartMetrics(
  registers: Registry[],
  stored: Pick<ReportCounts, 'add'>,
  collect: Partial<Record<PartMeasure, () => Promise<void> | void>>,
): PartMetrics {
  const open = (measure: PartMeasure) =>
    new Counter({
      name: telemetryMetrics[measure],
      help: measures[measure],
      labelNames,
      registers,
      ...(collect[measure] && { collect: collect[measure] }),
    });
  const counters = Object.fromEntries(partMeasures.map((measure) => [measure, open(measure)])) as Record<
    PartMeasure,
    ReturnType<typeof open>
  >;
  const failures = new Counter({
    name: telemetryMetrics.failures,
    help: 'Page views in which a version failed to load or threw, by cause.',
    labelNames: [...labelNames, 'cause'] as const,
    registers,
  });
  const loads = new Histogram({
    name: telemetryMetrics.loadTime,
    help: 'Load time of a version.',
    labelNames,
    buckets: [...secondBounds],
    registers,
  });
  return {
    count(measure, labels, points = 1) {
      counters[measure].inc(seriesOf(labels), points);
      if (points > 0) stored.add(labels, measure, points);
    },
    countFailure(labels, cause) {
      failures.inc({ ...seriesOf(labels), cause });
      stored.add(labels, `failures.${cause}`, 1);
    },
    countLoad(labels, seconds) {
      loads.observe(seriesOf(labels), seconds);
      stored.add(labels, bucketName('loads', seconds, secondBounds), 1);
    },
    forget({ part, version }) {
      for (const group of canaryGroups) {
        const labels = { part, version, group };
        for (const counter of Object.values(counters)) counter.remove(labels);
        loads.remove(labels);
        for (const cause of failureCauses) failures.remove({ ...labels, cause });
      }
    },
  };
}
