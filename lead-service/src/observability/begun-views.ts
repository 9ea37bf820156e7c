import { settlingTime } from '@countersign/contracts/telemetry';

/** Labels of a version in one group of visitors. */
export interface VersionLabels {
  readonly part: string;
  readonly version: string;
  readonly group: string;
}

/** Views of one version whose loads began within one time window. */
export interface BegunCount {
  begun: number;
  settled: number;
}

/** Length of a window, in milliseconds. */
const windowLength = 5_000;

/**
 * Counts begun and settled views per time window of their start. Publishes a window once its views had time to settle, so
 * that both counters cover the same views. The difference is the number of stalled views.
 */
export class BegunViews {
  readonly #publish: (labels: VersionLabels, count: Readonly<BegunCount>) => void;
  readonly #windows = new Map<number, Map<string, { labels: VersionLabels; count: BegunCount }>>();

  /** @param publish adds the counts of a window whose views had time to settle */
  constructor(publish: (labels: VersionLabels, count: Readonly<BegunCount>) => void) {
    this.#publish = publish;
  }

  /** @param now milliseconds of a monotonic clock, as for every method */
  begin(labels: VersionLabels, now: number): void {
    this.#countAt(labels, now, now).begun += 1;
  }

  /** @param age milliseconds since the load began */
  settle(labels: VersionLabels, age: number, now: number): void {
    if (hasSettled(windowOf(now - age), now)) this.#publish(labels, { begun: 0, settled: 1 });
    else this.#countAt(labels, now - age, now).settled += 1;
  }

  /** Publishes the windows whose views had time to settle. */
  publishSettled(now: number): void {
    for (const [window, counts] of this.#windows) {
      if (!hasSettled(window, now)) continue;
      this.#windows.delete(window);
      for (const { labels, count } of counts.values()) this.#publish(labels, count);
    }
  }

  #countAt(labels: VersionLabels, time: number, now: number): BegunCount {
    this.publishSettled(now);
    const window = windowOf(time);
    const counts =
      this.#windows.get(window) ?? new Map<string, { labels: VersionLabels; count: BegunCount }>();
    this.#windows.set(window, counts);
    const key = JSON.stringify([labels.part, labels.version, labels.group]);
    const found = counts.get(key) ?? { labels, count: { begun: 0, settled: 0 } };
    counts.set(key, found);
    return found.count;
  }
}

function windowOf(time: number): number {
  return Math.floor(time / windowLength);
}

function hasSettled(window: number, now: number): boolean {
  return now >= (window + 1) * windowLength + settlingTime;
}
