import {
  bucketName,
  pageName,
  secondBounds,
  shiftBounds,
  type PageReportCounts,
} from '@countersign/contracts/page-reports';
import { remoteNames, type RemoteName } from '@countersign/contracts/remotes';
import type { ViewCount } from '../canary/assess-canary.ts';
import { wilsonInterval } from '../canary/wilson-interval.ts';

/** A share of views, from 0 to 1, or a 75th percentile, each with its 95 % confidence interval. */
export interface Figure {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The figures of a part or version in a period. */
export interface Measured {
  readonly views: number;
  readonly leads: number;
  /** Name of a measure → its figure; `undefined` without views. Percentiles are in seconds; CLS has no unit. */
  readonly figures: Readonly<Record<string, Figure | undefined>>;
}

/** The figures of all days together. */
interface MeasuredDays extends Measured {
  /** The figures of each day, oldest first. */
  readonly points: readonly Measured[];
}

export interface VersionMeasurements extends MeasuredDays {
  /** `other`: versions that the live page has not named. */
  readonly version: string;
}

/** Names of the measures that the reports on a part contain. New ones need no code here. */
interface Measures {
  /** Shares of views: `leads`, `failures`, `failures.load`, `late`. */
  readonly shares: readonly string[];
  /** Load time and web vitals: `loads`, `LCP`. */
  readonly percentiles: readonly string[];
}

export interface PartMeasurements extends MeasuredDays, Measures {
  /** The latest first. */
  readonly versions: readonly VersionMeasurements[];
}

export const measuredParts = [pageName, ...remoteNames] as const;

export interface Measurements {
  /** When the reports were read. ISO 8601, UTC. */
  readonly readAt: string;
  readonly days: readonly string[];
  /**
   * The parts with reports, and the page as a whole, which includes the shell: its versions are the releases, and the failures
   * and leads of the shell are its own.
   */
  readonly parts: Readonly<Partial<Record<typeof pageName | RemoteName, PartMeasurements>>>;
  /** Failed views of all remotes. */
  readonly failed: Figure | undefined;
}

const dayLength = 24 * 60 * 60_000;
const shownDays = 14;
/** Google assesses web vitals at this percentile. */
const percentile = 0.75;

/** Name of a count, as in `PageReportCounts` → its sum. */
type Counts = ReadonlyMap<string, number>;

/**
 * Dates of the days that the board shows, oldest first: `2026-11-25`, UTC.
 *
 * @param now milliseconds since the epoch
 */
export function lastDays(now: number): readonly string[] {
  return Array.from({ length: shownDays }, (_, index) =>
    new Date(now - (shownDays - 1 - index) * dayLength).toISOString().slice(0, 10),
  );
}

/**
 * Computes the figures of the last days.
 *
 * @param reports the counts since the start of the first day
 * @param now when the reports were read, in milliseconds since the epoch
 */
export function measure(reports: readonly PageReportCounts[], now: number): Measurements {
  const days = lastDays(now);
  const byPart = Map.groupBy(reports.map(asPage), ({ part }) => part);
  const parts = measuredParts.flatMap((part) => {
    const own = byPart.get(part);
    return own ? [[part, measurePart(own, days)] as const] : [];
  });
  const ofRemotes = remoteNames.flatMap((part) => byPart.get(part) ?? []);
  return {
    readAt: new Date(now).toISOString(),
    days,
    parts: Object.fromEntries(parts),
    failed: shareOf(addCounts(ofRemotes), 'failures'),
  };
}

/** The shell is on every page and reports no views, so its failures and leads are those of the page. */
function asPage(report: PageReportCounts): PageReportCounts {
  const { part, releaseId, counts } = report;
  if (part === 'shell') return { ...report, part: pageName, version: releaseId };
  // Each view of the page reports its time to first byte.
  return part === pageName
    ? { ...report, counts: { ...counts, views: sumOf(addCounts([report]), 'TTFB.') } }
    : report;
}

/** The figures of a part, and of each of its versions, by the measures that its reports contain. */
function measurePart(reports: readonly PageReportCounts[], days: readonly string[]): PartMeasurements {
  const measures = measuresIn(addCounts(reports));
  const measureDays = (own: readonly PageReportCounts[]): MeasuredDays => {
    const byDay = Map.groupBy(own, ({ beganAt }) => beganAt.slice(0, 10));
    const points = days.map((day) => measured(byDay.get(day) ?? [], measures));
    return { ...measured(own, measures), points };
  };
  const byVersion = [...Map.groupBy(reports, ({ version }) => version)];
  const versions = byVersion.map(([version, own]) => ({ version, ...measureDays(own) }));
  const lastDay = ({ points }: MeasuredDays) => points.findLastIndex(({ views }) => views > 0);
  versions.sort((one, other) => lastDay(other) - lastDay(one) || other.views - one.views);
  return { ...measures, ...measureDays(reports), versions };
}

function measured(reports: readonly PageReportCounts[], { shares, percentiles }: Measures): Measured {
  const counts = addCounts(reports);
  return {
    views: counts.get('views') ?? 0,
    leads: counts.get('leads') ?? 0,
    figures: Object.fromEntries([
      ...shares.map((name) => [name, shareOf(counts, name)] as const),
      ...percentiles.map((name) => [name, percentileOf(counts, name)] as const),
    ]),
  };
}

function addCounts(reports: readonly PageReportCounts[]): Counts {
  const sums = new Map<string, number>();
  for (const { counts } of reports) {
    for (const [name, count] of Object.entries(counts)) sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return sums;
}

function sumOf(counts: Counts, prefix: string): number {
  return [...counts].reduce((sum, [name, count]) => (name.startsWith(prefix) ? sum + count : sum), 0);
}

/** Matches counts of values up to a bound, such as `loads.0.5`: the name of the measure. */
const bucket = /^(.+?)\.(?:\d.*|longer)$/;
/** Counts that are not shown as shares of views: the views themselves, numbers of networks, and `leads`, which is always shown. */
const noShare = /^(?:views|begun|settled|used|leads)$|Networks$/;

function measuresIn(counts: Counts): Measures {
  const names = [...counts.keys()].sort();
  const shares = names.filter((name) => !bucket.test(name) && !noShare.test(name));
  return {
    shares: ['leads', 'failures', ...shares, ...(counts.has('begun') ? ['hung'] : [])],
    percentiles: [...new Set(names.flatMap((name) => bucket.exec(name)?.[1] ?? []))],
  };
}

function shareOf(counts: Counts, name: string): Figure | undefined {
  const found = wilsonInterval(countViews(counts, name));
  return found && { value: found.rate, low: found.low, high: found.high };
}

/** The views that a measure counts, as `failures`, and the views that it is a share of. */
function countViews(counts: Counts, name: string): ViewCount {
  const count = (each: string) => counts.get(each) ?? 0;
  const [views, begun] = [count('views'), count('begun')];
  if (name === 'hung') return { views: begun, failures: Math.max(0, begun - count('settled')) };
  if (name === 'slow') return { views: count('used'), failures: count(name) };
  if (name === 'leads') return { views, failures: count(name) };
  const failures = name === 'failures' ? sumOf(counts, 'failures.') : count(name);
  // A view that is late or fails while it renders counts as such at once, and as a view when it has loaded.
  return { views: Math.max(views, failures), failures };
}

/**
 * The 75th percentile of a measure. Its interval has the values at the bounds of the confidence interval of the share 0.75, as
 * usual for order statistics.
 */
function percentileOf(counts: Counts, name: string): Figure | undefined {
  const bounds = name === 'CLS' ? shiftBounds : secondBounds;
  const buckets = [...bounds, Infinity].map((bound) => ({
    bound,
    count: counts.get(bucketName(name, bound, bounds)) ?? 0,
  }));
  const views = buckets.reduce((sum, { count }) => sum + count, 0);
  /**
   * The value that a share of all views does not exceed. Linear interpolation within a bucket, like `histogram_quantile` of
   * Prometheus. A value in the last bucket, which has no bound, is the bound before it.
   */
  const valueAt = (share: number) => {
    const wanted = share * views;
    let below = { bound: 0, count: 0 };
    for (const { bound, count } of buckets) {
      if (bound === Infinity) break;
      if (count > 0 && below.count + count >= wanted)
        return below.bound + ((bound - below.bound) * (wanted - below.count)) / count;
      below = { bound, count: below.count + count };
    }
    return below.bound;
  };
  const shares = wilsonInterval({ views, failures: percentile * views });
  return shares && { value: valueAt(percentile), low: valueAt(shares.low), high: valueAt(shares.high) };
}
