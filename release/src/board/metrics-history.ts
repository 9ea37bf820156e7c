import { createHash } from 'node:crypto';
import { partVersionName } from '@countersign/contracts/part-manifest';
import { partNames } from '@countersign/contracts/remotes';
import { telemetryMetrics } from '@countersign/contracts/telemetry';
import * as z from 'zod/mini';
import { increaseOf, parseSamples, type Sample } from '../canary/part-metrics.ts';

/** Time that a point covers: 10 minutes, in milliseconds. */
export const pointLength = 10 * 60_000;
/** Time that the history covers: a day, in milliseconds. */
export const historyLength = 24 * 60 * 60_000;
/** After this gap between two scrapes their difference belongs to no point: 20 minutes, in milliseconds. */
const maxGap = 2 * pointLength;

const counts = z.record(z.string(), z.number());
/** Related counters by name, or cumulative buckets of a histogram by upper bound. */
export type Counts = Readonly<z.infer<typeof counts>>;
/** Key of {@link seriesKey} → counters. */
const series = z.record(z.string(), counts);
export type Series = Readonly<z.infer<typeof series>>;

/** `board/metrics.json`: how the counters have grown, in points of ten minutes, and the last scrape of each instance. */
export const metricsHistory = z.object({
  schemaVersion: z.literal(1),
  /** Hash of an instance's address → its last scrape. */
  instances: z.record(z.string(), z.object({ at: z.number(), series })),
  /** Oldest first. `at`: begin of the point, in milliseconds since the epoch. */
  points: z.array(z.object({ at: z.number(), series })),
});
export type MetricsHistory = z.infer<typeof metricsHistory>;

export const emptyHistory: MetricsHistory = { schemaVersion: 1, instances: {}, points: [] };

/** One scrape of an instance of the lead service. */
export interface Scrape {
  /** Is stored as a hash only, because it may hold credentials. */
  readonly address: string;
  readonly metrics: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Adds the growth of the counters since the last scrape of the instance. The first scrape, and one after a long gap, only
 * give the values to start from. Drops points older than a day.
 */
export function addScrape(history: MetricsHistory, { address, metrics, at }: Scrape): MetricsHistory {
  const instance = createHash('sha256').update(address).digest('hex').slice(0, 16);
  const read = readSeries(metrics);
  const last = history.instances[instance];
  const isRecent = (then: number) => at - then <= historyLength && then <= at;
  const instances = Object.entries(history.instances).filter(([, known]) => isRecent(known.at));
  const points = history.points.filter((point) => isRecent(point.at));
  if (last && at >= last.at && at - last.at <= maxGap) {
    const begin = Math.floor(at / pointLength) * pointLength;
    const growth = growthOf(last.series, read);
    const point = points.find((known) => known.at === begin);
    if (point) {
      const sum = Object.entries(addSeries(point.series, growth));
      point.series = Object.fromEntries(sum.slice(0, maxSeries));
    } else points.push({ at: begin, series: growth });
  }
  return {
    schemaVersion: 1,
    instances: { ...Object.fromEntries(instances), [instance]: { at, series: read } },
    points: points.map(({ at: begin, series: found }) => ({ at: begin, series: found })),
  };
}

/** Sums two sets of series. */
export function addSeries(one: Series, other: Series): Series {
  const sums: Record<string, Record<string, number>> = {};
  for (const [key, values] of [...Object.entries(one), ...Object.entries(other)]) {
    const sum = (sums[key] ??= {});
    for (const [name, value] of Object.entries(values)) sum[name] = (sum[name] ?? 0) + value;
  }
  return sums;
}

function growthOf(last: Series, read: Series): Series {
  const grown = Object.entries(read).flatMap(([key, reading]) => {
    const before = Object.fromEntries(Object.keys(reading).map((name) => [name, last[key]?.[name] ?? 0]));
    const growth = Object.entries(increaseOf(before, reading)).filter(([, value]) => value > 0);
    return growth.length > 0 ? [[key, Object.fromEntries(growth)] as const] : [];
  });
  return Object.fromEntries(grown);
}

/** Kinds of series. Each has its own key, so that a restart resets its counters together. */
type SeriesKind = 'counts' | 'load' | 'vital' | 'shift';

/** Key of a series. `names`: part and version, or the name of a web vital. */
export function seriesKey(kind: SeriesKind, ...names: readonly string[]): string {
  return [kind, ...names].join(' ');
}

const counters: ReadonlyMap<string, string> = new Map([
  [telemetryMetrics.views, 'views'],
  [telemetryMetrics.failures, 'failures'],
  [telemetryMetrics.late, 'late'],
  [telemetryMetrics.mismatches, 'mismatches'],
  [telemetryMetrics.begun, 'begun'],
  [telemetryMetrics.settled, 'settled'],
]);

/** The lead service's label for versions that it does not know. */
const otherVersion = 'other';

/** Largest number of series of a scrape or a point. The lead service reports a few versions of each part. */
const maxSeries = 500;

/** Reads the series of a scrape, summed over canary groups and causes. Ignores what the lead service cannot report. */
function readSeries(metrics: string): Series {
  const sums: Record<string, Record<string, number>> = {};
  let found = 0;
  for (const sample of parseSamples(metrics)) {
    const { value } = sample;
    const [key, field] = placeOf(sample) ?? [];
    if (key === undefined || field === undefined || !(value >= 0 && value <= Number.MAX_SAFE_INTEGER))
      continue;
    if (!(key in sums) && ++found > maxSeries) continue;
    const sum = (sums[key] ??= {});
    sum[field] = (sum[field] ?? 0) + value;
  }
  return sums;
}

/** Series and field of a sample; `undefined` for other metrics. */
function placeOf({ name, labels }: Sample): readonly [key: string, field: string] | undefined {
  const { part = '', version = '', name: vital = '', le = '' } = labels;
  const counter = counters.get(name);
  const bound = le === '+Inf' || /^\d+(?:\.\d+)?$/.test(le) ? le : undefined;
  if (counter !== undefined || name === `${telemetryMetrics.loadTime}_bucket`) {
    const isKnown =
      partNames.some((known) => known === part) &&
      (version === otherVersion || partVersionName.safeParse(version).success);
    if (!isKnown) return undefined;
    if (counter !== undefined) return [seriesKey('counts', part, version), counter];
    return bound === undefined ? undefined : [seriesKey('load', part, version), bound];
  }
  if (bound === undefined) return undefined;
  if (name === `${telemetryMetrics.layoutShift}_bucket`) return [seriesKey('shift'), bound];
  const isVital = name === `${telemetryMetrics.webVital}_bucket` && /^[A-Z]{3,4}$/.test(vital);
  return isVital ? [seriesKey('vital', vital), bound] : undefined;
}
