import { telemetryMetrics, type CanaryGroup } from '@countersign/contracts/telemetry';

/** A sample in the Prometheus text format: name, labels, value. */
const sampleLine = /^(\w+)(?:\{(.*)\})? (\S+)$/;
const label = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** A sample of the metrics. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Parses metrics in the Prometheus text format. */
export function parseSamples(metrics: string): readonly Sample[] {
  return metrics.split('\n').flatMap((line) => {
    const [, name, text = '', value] = sampleLine.exec(line) ?? [];
    if (name === undefined) return [];
    const labels = [...text.matchAll(label)].map(([, key = '', found = '']) => [key, found] as const);
    return [{ name, labels: Object.fromEntries(labels), value: Number(value) }];
  });
}

/** Counters that grow when a view reports. */
export const reportedCounters = [
  'views',
  'failures',
  'failuresNetworks',
  'mismatches',
  'mismatchesNetworks',
  'late',
  'lateNetworks',
] as const satisfies (keyof typeof telemetryMetrics)[];

/** Counters of the views that have begun, of those of them that have reported anything since, and of networks with others. */
export const begunCounters = [
  'begun',
  'settled',
  'hungNetworks',
] as const satisfies (keyof typeof telemetryMetrics)[];

/** The counters that are compared between a canary and the stable version. */
const comparedCounters = [...reportedCounters, ...begunCounters];

/** Counters of one version. */
export type VersionCounts = Readonly<Record<(typeof comparedCounters)[number], number>>;

/** Reads the counters of one version of a part, summed over causes. Missing counters are 0. */
export function readCounts(
  metrics: string,
  part: string,
  version: string,
  group: CanaryGroup,
): VersionCounts {
  const sums = new Map<string, number>();
  for (const { name, labels, value } of parseSamples(metrics)) {
    if (labels['part'] !== part || labels['version'] !== version || labels['group'] !== group) continue;
    sums.set(name, (sums.get(name) ?? 0) + value);
  }
  const counts = comparedCounters.map((key) => [key, sums.get(telemetryMetrics[key]) ?? 0]);
  return Object.fromEntries(counts) as VersionCounts;
}

/** Whether an instance reports that it cannot read the live versions. Older instances lack this metric. */
export function lacksLiveVersions(metrics: string): boolean {
  return metrics.split('\n').includes(`${telemetryMetrics.livePageUp} 0`);
}

type Reading<Name extends string> = Readonly<Record<Name, number>>;

/** The increase of related counters. If one decreases, the process has restarted and all of them were reset. */
export function increaseOf<Name extends string>(last: Reading<Name>, reading: Reading<Name>): Reading<Name> {
  const names = Object.keys(reading) as Name[];
  const wasReset = names.some((name) => reading[name] < last[name]);
  const grown = names.map((name) => [name, reading[name] - (wasReset ? 0 : last[name])] as const);
  return Object.fromEntries(grown) as Record<Name, number>;
}

/** The sum of the increases of related counters. */
export class CounterIncrease<Name extends string> {
  #last: Reading<Name> | undefined;
  #sum: Reading<Name>;

  constructor(...names: readonly Name[]) {
    this.#sum = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  }

  /** The growth since the first reading. */
  get sum(): Reading<Name> {
    return this.#sum;
  }

  add(reading: Reading<Name>): void {
    const growth = increaseOf(this.#last ?? reading, reading);
    this.#last = reading;
    const sums = (Object.keys(this.#sum) as Name[]).map((name) => [name, this.#sum[name] + growth[name]]);
    this.#sum = Object.fromEntries(sums) as Record<Name, number>;
  }
}
