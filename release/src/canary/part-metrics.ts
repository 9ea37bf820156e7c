import { telemetryMetrics, type CanaryGroup } from '@countersign/contracts/telemetry';

/** A sample in the Prometheus text format: name, labels, value. */
const sample = /^(\w+)\{(.*)\} (\S+)$/;
const label = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Metric name → its value for one version of a part, summed over causes. */
export function readSamples(
  metrics: string,
  part: string,
  version: string,
  group: CanaryGroup,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const line of metrics.split('\n')) {
    const [, name = '', text = '', value] = sample.exec(line) ?? [];
    const labels = Object.fromEntries(
      [...text.matchAll(label)].map(([, key = '', found = '']) => [key, found]),
    );
    if (labels['part'] !== part || labels['version'] !== version || labels['group'] !== group) continue;
    sums.set(name, (sums.get(name) ?? 0) + Number(value));
  }
  return sums;
}

/** Reported views of one version. */
export interface ReportedCounts {
  readonly views: number;
  readonly failures: number;
  readonly late: number;
}

export function readCounts(
  metrics: string,
  part: string,
  version: string,
  group: CanaryGroup,
): ReportedCounts {
  const samples = readSamples(metrics, part, version, group);
  return {
    views: samples.get(telemetryMetrics.views) ?? 0,
    failures: samples.get(telemetryMetrics.failures) ?? 0,
    late: samples.get(telemetryMetrics.late) ?? 0,
  };
}

/** Whether an instance reports that it cannot read the live versions. Older instances lack this metric. */
export function lacksLiveVersions(metrics: string): boolean {
  return metrics.split('\n').includes(`${telemetryMetrics.livePageUp} 0`);
}

/** The increase of related counters. If one decreases, the process has restarted and all of them were reset. */
export class CounterIncrease<Name extends string> {
  readonly #names: readonly Name[];
  #last: Readonly<Record<Name, number>> | undefined;
  #sum: Readonly<Record<Name, number>>;

  constructor(...names: readonly Name[]) {
    this.#names = names;
    this.#sum = this.#each(() => 0);
  }

  /** The growth since the first reading. */
  get sum(): Readonly<Record<Name, number>> {
    return this.#sum;
  }

  add(reading: Readonly<Record<Name, number>>): void {
    const last = this.#last ?? reading;
    this.#last = reading;
    const wasReset = this.#names.some((name) => reading[name] < last[name]);
    const before = this.#sum;
    this.#sum = this.#each((name) => before[name] + reading[name] - (wasReset ? 0 : last[name]));
  }

  #each(value: (name: Name) => number): Readonly<Record<Name, number>> {
    return Object.fromEntries(this.#names.map((name) => [name, value(name)])) as Record<Name, number>;
  }
}
