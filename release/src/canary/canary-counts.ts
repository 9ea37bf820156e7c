import type { RemoteName } from '@countersign/contracts/remotes';
import { telemetryMetrics } from '@countersign/contracts/telemetry';
import type { CanarySnapshot } from '../deploy/change.ts';
import type { Comparison, ViewCount } from './assess-canary.ts';
import { CounterIncrease, readCounts, readSamples } from './part-metrics.ts';

const groups = ['canary', 'stable'] as const;
const reported = ['views', 'failures', 'late'] as const;
const begun = ['begun', 'settled'] as const;

/** Compares the canary with the stable version, once for each measure. */
export interface Comparisons {
  /** Views that reported, and those in which the version failed to load or threw an error. */
  readonly failed: Comparison;
  /** Views that began to load, and those that never reported an outcome. */
  readonly hung: Comparison;
  /** Views that reported, and those in which the version loaded slowly. Late is not failed: the markup is readable meanwhile. */
  readonly late: Comparison;
}

/** Sums the counters of a canary and of the stable version over all instances of the lead service. */
export class CanaryCounts {
  readonly #part: RemoteName;
  readonly #versions: Readonly<Record<keyof Comparison, string>>;
  readonly #reported = { canary: new SummedIncrease(reported), stable: new SummedIncrease(reported) };
  readonly #begun = { canary: new SummedIncrease(begun), stable: new SummedIncrease(begun) };
  readonly #settlingTime: number;
  readonly #now: () => number;
  readonly #start: number;

  /** @param settlingTime how long the lead service withholds a view that has begun, in milliseconds */
  constructor(
    part: RemoteName,
    { version, live }: CanarySnapshot,
    settlingTime: number,
    now: () => number = () => performance.now(),
  ) {
    this.#part = part;
    this.#versions = { canary: version, stable: live };
    this.#settlingTime = settlingTime;
    this.#now = now;
    this.#start = now();
  }

  /** Adds a scrape of one instance's metrics. */
  add(instance: string, metrics: string): void {
    // Earlier scrapes contain views from before the watch, perhaps of a canary with another percentage.
    const publishesOwnViews = this.#now() - this.#start >= this.#settlingTime;
    for (const group of groups) {
      const version = this.#versions[group];
      this.#reported[group].add(instance, readCounts(metrics, this.#part, version, group));
      if (!publishesOwnViews) continue;
      const samples = readSamples(metrics, this.#part, version, group);
      this.#begun[group].add(instance, {
        begun: samples.get(telemetryMetrics.begun) ?? 0,
        settled: samples.get(telemetryMetrics.settled) ?? 0,
      });
    }
  }

  get comparisons(): Comparisons {
    const hung = (group: keyof Comparison): ViewCount => {
      const { begun: views, settled } = this.#begun[group].sum;
      // `settled` can exceed `begun`, because a view that settles late is counted immediately.
      return { views, failures: Math.max(0, views - settled) };
    };
    const late = (group: keyof Comparison): ViewCount => {
      const { views, late: failures } = this.#reported[group].sum;
      // `late` can exceed `views`, because a view is counted only after it has loaded or failed.
      return { views: Math.max(views, failures), failures };
    };
    const failed = (group: keyof Comparison): ViewCount => {
      const { views, failures } = this.#reported[group].sum;
      return { views, failures };
    };
    return {
      failed: { canary: failed('canary'), stable: failed('stable') },
      hung: { canary: hung('canary'), stable: hung('stable') },
      late: { canary: late('canary'), stable: late('stable') },
    };
  }
}

/** The increase of counters, summed over all instances. */
class SummedIncrease<Name extends string> {
  readonly #names: readonly Name[];
  readonly #growths = new Map<string, CounterIncrease<Name>>();

  constructor(names: readonly Name[]) {
    this.#names = names;
  }

  add(instance: string, reading: Readonly<Record<Name, number>>): void {
    const growth = this.#growths.get(instance) ?? new CounterIncrease(...this.#names);
    this.#growths.set(instance, growth);
    growth.add(reading);
  }

  get sum(): Readonly<Record<Name, number>> {
    const sums = [...this.#growths.values()].map((growth) => growth.sum);
    return Object.fromEntries(
      this.#names.map((name) => [name, sums.reduce((total, sum) => total + sum[name], 0)]),
    ) as Record<Name, number>;
  }
}
