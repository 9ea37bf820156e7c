import { partNames, type PartName } from '@countersign/contracts/remotes';
import { wilsonInterval, type RateInterval } from '../canary/wilson-interval.ts';
import { quantile } from './histogram.ts';
import {
  addSeries,
  historyLength,
  pointLength,
  seriesKey,
  type MetricsHistory,
  type Series,
} from './metrics-history.ts';

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

export interface VersionMeasurements {
  /** `other`: versions that the lead service does not know. */
  readonly version: string;
  readonly total: VersionFigures;
  /** One for each of {@link Measurements.times}: views of its ten minutes, and all else of the hour until its end. */
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
  /** Last scrape. ISO 8601, UTC. */
  readonly scrapedAt: string;
  /** Begins of the points, in milliseconds since the epoch, oldest first. */
  readonly times: readonly number[];
  /** The versions with reports, most viewed first. */
  readonly parts: Readonly<Partial<Record<PartName, readonly VersionMeasurements[]>>>;
  readonly vitals: readonly VitalMeasurements[];
}

const vitalNames = ['LCP', 'INP', 'FCP', 'TTFB'] as const;
/** Google assesses web vitals at this percentile. */
const percentile = 0.75;
/** Rates and percentiles of a point cover an hour, because ten minutes of a canary have too few views. */
const rollingPoints = 6;
/** Most viewed versions of a part with figures, because a damaged service may report any number. */
const maxVersions = 20;

/** Computes the figures of the history; `undefined` if nothing has been scraped. */
export function measure(history: MetricsHistory): Measurements | undefined {
  const scrapes = Object.values(history.instances).map(({ at }) => at);
  if (scrapes.length === 0) return undefined;
  const scrapedAt = Math.max(...scrapes);
  const last = Math.floor(scrapedAt / pointLength) * pointLength;
  const times = Array.from(
    { length: historyLength / pointLength },
    (_, index) => last - (historyLength / pointLength - 1 - index) * pointLength,
  );
  const found = new Map(history.points.map(({ at, series }) => [at, series]));
  const points = times.map((time) => found.get(time) ?? {});
  const sum = (all: readonly Series[]) => all.reduce((one, other) => addSeries(one, other), {});
  const hours = points.map((_, index) =>
    sum(points.slice(Math.max(0, index + 1 - rollingPoints), index + 1)),
  );
  const total = sum(points);
  const parts = partNames.map((part) => [part, measureVersions(part, { total, points, hours })] as const);
  return {
    scrapedAt: new Date(scrapedAt).toISOString(),
    times,
    parts: Object.fromEntries(parts.filter(([, versions]) => versions.length > 0)),
    vitals: [...vitalNames.map((name) => [name, seriesKey('vital', name)]), ['CLS', seriesKey('shift')]].map(
      ([name = '', key = '']) => ({
        name,
        total: quantile(total[key] ?? {}, percentile),
        points: hours.map((hour) => quantile(hour[key] ?? {}, percentile)),
      }),
    ),
  };
}

interface MeasuredSeries {
  readonly total: Series;
  readonly points: readonly Series[];
  /** Each point with those of the hour before. */
  readonly hours: readonly Series[];
}

function measureVersions(
  part: PartName,
  { total, points, hours }: MeasuredSeries,
): readonly VersionMeasurements[] {
  const prefix = seriesKey('counts', part, '');
  return Object.keys(total)
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
    .map((version) => ({ version, total: figuresOf(part, version, total) }))
    .sort((one, other) => other.total.views - one.total.views)
    .slice(0, maxVersions)
    .map(({ version, total: whole }) => ({
      version,
      total: whole,
      points: hours.map((hour, index) => ({
        ...figuresOf(part, version, hour),
        views: points[index]?.[seriesKey('counts', part, version)]?.['views'] ?? 0,
      })),
    }));
}

function figuresOf(part: PartName, version: string, series: Series): VersionFigures {
  const {
    views = 0,
    failures = 0,
    late = 0,
    mismatches = 0,
    begun = 0,
    settled = 0,
  } = series[seriesKey('counts', part, version)] ?? {};
  return {
    views,
    failures,
    // A view that fails while it renders counts as a failure at once, and as a view when it has loaded.
    failed: wilsonInterval({ views: Math.max(views, failures), failures }),
    late: Math.max(views, late) > 0 ? late / Math.max(views, late) : undefined,
    rerendered: views > 0 ? Math.min(1, mismatches / views) : undefined,
    hung: begun > 0 ? Math.max(0, begun - settled) / begun : undefined,
    loadTime: quantile(series[seriesKey('load', part, version)] ?? {}, percentile),
  };
}
