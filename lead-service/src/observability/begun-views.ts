import { settlingTime } from '@countersign/contracts/telemetry';

/** Labels of a version in one group of visitors. */
export interface VersionLabels {
  readonly part: string;
  readonly version: string;
  readonly group: string;
}

/** Views of one version whose loads began within one time window, and the networks that reported them first then. */
export interface BegunCount {
  begun: number;
  begunNetworks: number;
  settled: number;
  settledNetworks: number;
}

const none: Readonly<BegunCount> = { begun: 0, begunNetworks: 0, settled: 0, settledNetworks: 0 };

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

  /**
   * @param newNetworks 1 if its network has begun no other view of the version lately, else 0
   * @param now milliseconds of a monotonic clock, as for every method
   */
  begin(labels: VersionLabels, newNetworks: number, now: number): void {
    const count = this.#countAt(labels, now, now);
    count.begun += 1;
    count.begunNetworks += newNetworks;
  }

  /** @param age milliseconds since the load began */
  settle(labels: VersionLabels, newNetworks: number, age: number, now: number): void {
    if (hasSettled(windowOf(now - age), now)) {
      return this.#publish(labels, { ...none, settled: 1, settledNetworks: newNetworks });
    }
    const count = this.#countAt(labels, now - age, now);
    count.settled += 1;
    count.settledNetworks += newNetworks;
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
    const found = counts.get(key) ?? { labels, count: { ...none } };
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
