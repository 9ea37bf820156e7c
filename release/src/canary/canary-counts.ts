import type { RemoteName } from '@countersign/contracts/remotes';
import { telemetryMetrics } from '@countersign/contracts/telemetry';
import type { JudgedCanary } from '../flip/change.ts';
import type { Comparison, ViewCount } from './judge-canary.ts';
import { Growth, readCounts, readSamples } from './part-counts.ts';

const groups = ['canary', 'stable'] as const;
const reported = ['views', 'failures', 'late'] as const;
const begun = ['begun', 'settled'] as const;

/** What is known of the canary and of the stable version, one comparison for each way to be worse. */
export interface Comparisons {
  /** Views that reported, and those of them in which the version was given up or threw. */
  readonly failed: Comparison;
  /** Views that began to load, and those of them that never reported what became of it. */
  readonly hung: Comparison;
  /** Views that reported, and those of them in which the version took long to load. It is awaited, and visitors can read meanwhile. */
  readonly late: Comparison;
}

/** Adds up what all instances of the service count of a canary and of the stable version beside it. */
export class CanaryCounts {
  readonly #part: RemoteName;
  readonly #versions: Readonly<Record<keyof Comparison, string>>;
  readonly #reported = { canary: new SumOfInstances(reported), stable: new SumOfInstances(reported) };
  readonly #begun = { canary: new SumOfInstances(begun), stable: new SumOfInstances(begun) };
  readonly #settlingTime: number;
  readonly #now: () => number;
  readonly #start: number;

  /** @param settlingTime for how long the service holds back a view that has begun, in milliseconds */
  constructor(
    part: RemoteName,
    { version, live }: JudgedCanary,
    settlingTime: number,
    now: () => number = () => performance.now(),
  ) {
    this.#part = part;
    this.#versions = { canary: version, stable: live };
    this.#settlingTime = settlingTime;
    this.#now = now;
    this.#start = now();
  }

  /** Adds the metrics of one instance, as they are now. */
  add(instance: string, metrics: string): void {
    // Until then the service publishes views from before the start, perhaps of a canary with another percentage.
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
      // A view that settles late is counted at once, so a few more can have settled than begun.
      return { views, failures: Math.max(0, views - settled) };
    };
    const late = (group: keyof Comparison): ViewCount => {
      const { views, late: failures } = this.#reported[group].sum;
      // What is late is counted at once, and as a view only when it has loaded or failed.
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

/** What counters of all instances have grown by, together. */
class SumOfInstances<Name extends string> {
  readonly #names: readonly Name[];
  readonly #growths = new Map<string, Growth<Name>>();

  constructor(names: readonly Name[]) {
    this.#names = names;
  }

  add(instance: string, reading: Readonly<Record<Name, number>>): void {
    const growth = this.#growths.get(instance) ?? new Growth(...this.#names);
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
