import type { RemoteName } from '@countersign/contracts/remotes';
import type { CanarySnapshot } from '../deploy/canary-snapshot.ts';
import type { Comparison, ReportedCount } from './assess-canary.ts';
import {
  begunCounters,
  CounterIncrease,
  readCounts,
  reportedCounters,
  type VersionCounts,
} from './part-metrics.ts';

const groups = ['canary', 'stable'] as const;

/** Compares the canary with the stable version, once for each measure. */
export interface Comparisons {
  /** Views that reported, and those in which the version failed to load or threw an error. */
  readonly failed: Comparison;
  /** Views that began to load, and those that never reported an outcome. */
  readonly hung: Comparison;
  /** Views that reported, and those in which the version loaded slowly. Late is not failed: the markup is readable meanwhile. */
  readonly late: Comparison;
  /** Views that reported, and those with a hydration mismatch. Not failed, because visitors see the whole part. */
  readonly rerendered: Comparison;
}

/** Sums the counters of a canary and of the stable version over all instances of the lead service. */
export class CanaryCounts {
  readonly #part: RemoteName;
  readonly #versions: Readonly<Record<keyof Comparison, string>>;
  readonly #reported = {
    canary: new SummedIncrease(reportedCounters),
    stable: new SummedIncrease(reportedCounters),
  };
  readonly #begun = { canary: new SummedIncrease(begunCounters), stable: new SummedIncrease(begunCounters) };
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
      const counts = readCounts(metrics, this.#part, version, group);
      this.#reported[group].add(instance, counts);
      if (publishesOwnViews) this.#begun[group].add(instance, counts);
    }
  }

  get comparisons(): Comparisons {
    const compare = (count: (group: keyof Comparison) => ReportedCount): Comparison => ({
      canary: count('canary'),
      stable: count('stable'),
    });
    const countReported = (measure: 'failures' | 'late' | 'mismatches') =>
      compare((group) => {
        const {
          views,
          [measure]: failures,
          [`${measure}Networks` as const]: networks,
        } = this.#reported[group].sum;
        // Failures can exceed views, because a view is counted only after it has loaded or failed.
        return { views: Math.max(views, failures), failures, networks };
      });
    return {
      failed: countReported('failures'),
      hung: compare((group) => {
        const { begun: views, settled, hungNetworks: networks } = this.#begun[group].sum;
        // `settled` can exceed `begun`, because a view that settles late is counted immediately.
        const failures = Math.max(0, views - settled);
        return { views, failures, networks };
      }),
      late: countReported('late'),
      rerendered: countReported('mismatches'),
    };
  }
}

/** The increase of counters, summed over all instances. */
class SummedIncrease<Name extends keyof VersionCounts> {
  readonly #names: readonly Name[];
  readonly #growths = new Map<string, CounterIncrease<Name>>();

  constructor(names: readonly Name[]) {
    this.#names = names;
  }

  add(instance: string, counts: VersionCounts): void {
    const reading = Object.fromEntries(this.#names.map((name) => [name, counts[name]])) as Record<
      Name,
      number
    >;
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
