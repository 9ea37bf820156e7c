import {
  bucketName,
  pageName,
  periodLength,
  secondBounds,
  shiftBounds,
  startOfPeriod,
  type PageReportCounts,
} from '@countersign/contracts/page-reports';
import { partNames, type PartName } from '@countersign/contracts/remotes';
import { failureCauses } from '@countersign/contracts/telemetry';
import { wilsonInterval, type RateInterval } from '../canary/wilson-interval.ts';

/** Measures of one version, at one point or over the whole time. */
export interface VersionFigures {
  readonly views: number;
  readonly failures: number;
  /** Share of views that failed; `undefined` without views. */
  readonly failed: RateInterval | undefined;
  /** Share of views that were late; `undefined` without views. */
  readonly late: number | undefined;
  /** Share of views with a hydration mismatch, in which the part is whole; `undefined` without views. */
  readonly rerendered: number | undefined;
  /** Share of begun views without an outcome. Only parts with a canary report these. */
  readonly hung: number | undefined;
  /** 75th percentile of the load time, in seconds. */
  readonly loadTime: number | undefined;
}

/** Measures of a version over the whole time. */
export interface VersionMeasurements extends VersionFigures {
  /** `other`: versions that the live page has not named. */
  readonly version: string;
  /** One for each ten minutes, oldest first: the views of these, and all else of the hour until their end. */
  readonly points: readonly VersionFigures[];
}

/** A web vital of the whole page: its 75th percentile, in seconds; CLS has no unit. */
export interface VitalMeasurements {
  readonly name: string;
  readonly total: number | undefined;
  readonly points: readonly (number | undefined)[];
}

/** The figures of the last day. */
export interface Measurements {
  /** When the reports were read. ISO 8601, UTC. */
  readonly readAt: string;
  /** The versions with reports, most viewed first. */
  readonly parts: Readonly<Partial<Record<PartName, readonly VersionMeasurements[]>>>;
  readonly vitals: readonly VitalMeasurements[];
}

/** Time that the figures cover: a day, in milliseconds. */
export const historyLength = 24 * 60 * 60_000;
const vitalNames = ['LCP', 'INP', 'FCP', 'TTFB', 'CLS'] as const;
/** Google assesses web vitals at this percentile. */
const percentile = 0.75;
/** Rates and percentiles of a point cover an hour, because ten minutes of a canary have too few views. */
const rollingPoints = 6;

type Counts = PageReportCounts['counts'];

/**
 * Computes the figures of the last day.
 *
 * @param now when the reports were read, in milliseconds since the epoch
 */
export function measure(reports: readonly PageReportCounts[], now: number): Measurements {
  const last = startOfPeriod(now);
  const length = historyLength / periodLength;
  const times = Array.from({ length }, (_, index) => last - (length - 1 - index) * periodLength);
  const byPart = Map.groupBy(reports, ({ part }) => part);
  const parts = partNames.map((part) => [part, measureVersions(byPart.get(part) ?? [], times)] as const);
  const page = countsAt(byPart.get(pageName) ?? [], times);
  return {
    readAt: new Date(now).toISOString(),
    parts: Object.fromEntries(parts.filter(([, versions]) => versions.length > 0)),
    vitals: vitalNames.map((name) => {
      const value = (counts: Counts) =>
        quantile(counts, name, name === 'CLS' ? shiftBounds : secondBounds, percentile);
      return { name, total: value(page.total), points: page.hours.map(value) };
    }),
  };
}

function measureVersions(
  reports: readonly PageReportCounts[],
  times: readonly number[],
): readonly VersionMeasurements[] {
  return [...Map.groupBy(reports, ({ version }) => version)]
    .map(([version, own]): VersionMeasurements => {
      const { total, points, hours } = countsAt(own, times);
      return {
        version,
        ...figuresOf(total),
        points: hours.map((hour, index) => ({ ...figuresOf(hour), views: points[index]?.['views'] ?? 0 })),
      };
    })
    .sort((one, other) => other.views - one.views);
}

/** Sums counts: all, those of each point, and those of the hour until its end. */
function countsAt(reports: readonly PageReportCounts[], times: readonly number[]) {
  const byTime = Map.groupBy(reports, ({ beganAt }) => Date.parse(beganAt));
  const points = times.map((time) => addCounts((byTime.get(time) ?? []).map(({ counts }) => counts)));
  const hours = points.map((_, index) =>
    addCounts(points.slice(Math.max(0, index + 1 - rollingPoints), index + 1)),
  );
  return { total: addCounts(points), points, hours };
}

function addCounts(all: readonly Counts[]): Counts {
  const sums = new Map<string, number>();
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return Object.fromEntries(sums);
}

function figuresOf(counts: Counts): VersionFigures {
  const { views = 0, late = 0, mismatches = 0, begun = 0, settled = 0 } = counts;
  const failures = failureCauses.reduce((sum, cause) => sum + (counts[`failures.${cause}`] ?? 0), 0);
  return {
    views,
    failures,
    // A view that fails while it renders counts as a failure at once, and as a view when it has loaded.
    failed: wilsonInterval({ views: Math.max(views, failures), failures }),
    late: Math.max(views, late) > 0 ? late / Math.max(views, late) : undefined,
    rerendered: views > 0 ? Math.min(1, mismatches / views) : undefined,
    hung: begun > 0 ? Math.max(0, begun - settled) / begun : undefined,
    loadTime: quantile(counts, 'loads', secondBounds, percentile),
  };
}

/**
 * The value below which a share of the observations lies, by linear interpolation within a bucket, like
 * `histogram_quantile` of Prometheus. Above the last bound it is that bound. `undefined` without observations.
 *
 * @param share from 0 to 1
 */
function quantile(
  counts: Counts,
  measure: string,
  bounds: readonly number[],
  share: number,
): number | undefined {
  const buckets = [...bounds, Infinity].map((bound) => ({
    bound,
    count: counts[bucketName(measure, bound, bounds)] ?? 0,
  }));
  const wanted = share * buckets.reduce((sum, { count }) => sum + count, 0);
  if (wanted === 0) return undefined;
  let below = { bound: 0, count: 0 };
  for (const { bound, count } of buckets) {
    if (bound === Infinity) break;
    if (below.count + count >= wanted)
      return below.bound + ((bound - below.bound) * (wanted - below.count)) / count;
    below = { bound, count: below.count + count };
  }
  return below.bound;
}
