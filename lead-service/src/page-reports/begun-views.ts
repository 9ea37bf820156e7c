import { settlingTime } from '@countersign/contracts/telemetry';
import type { VersionLabels } from './report-counts.ts';

/** Views of one version whose loads began within one time window. */
interface BegunCount {
  readonly begun: number;
  readonly settled: number;
  /** Networks that began more of these views than they settled. */
  readonly unsettled: readonly string[];
}

interface Window {
  readonly labels: VersionLabels;
  begun: number;
  settled: number;
  /** Begun minus settled views by network. */
  readonly balances: Map<string, number>;
}

/** Length of a window, in milliseconds. */
const windowLength = 5_000;

/**
 * Counts begun and settled views per time window of their start. Publishes a window once its views had time to settle, so
 * that both counters cover the same views. The difference is the number of stalled views.
 */
export class BegunViews {
  readonly #publish: (labels: VersionLabels, count: BegunCount) => void;
  /** By {@link windowIndex}, and then by version. */
  readonly #windows = new Map<number, Map<string, Window>>();

  /** @param publish adds the counts of a window whose views had time to settle */
  constructor(publish: (labels: VersionLabels, count: BegunCount) => void) {
    this.#publish = publish;
  }

  /**
   * @param network key of a network
   * @param now milliseconds of a monotonic clock, as for every method
   */
  begin(labels: VersionLabels, network: string, now: number): void {
    const window = this.#windowAt(labels, now, now);
    window.begun += 1;
    addTo(window.balances, network, 1);
  }

  /**
   * Counts in the window in which the load began. If that was published already, the next call publishes the rest of it.
   *
   * @param age milliseconds since the load began
   */
  settle(labels: VersionLabels, network: string, age: number, now: number): void {
    const window = this.#windowAt(labels, now - age, now);
    window.settled += 1;
    addTo(window.balances, network, -1);
  }

  publishSettled(now: number): void {
    for (const [index, windows] of this.#windows) {
      if (!hasSettled(index, now)) continue;
      this.#windows.delete(index);
      for (const { labels, begun, settled, balances } of windows.values()) {
        const unsettled = [...balances].flatMap(([network, balance]) => (balance > 0 ? [network] : []));
        this.#publish(labels, { begun, settled, unsettled });
      }
    }
  }

  #windowAt(labels: VersionLabels, time: number, now: number): Window {
    this.publishSettled(now);
    const index = windowIndex(time);
    const windows = this.#windows.get(index) ?? new Map<string, Window>();
    this.#windows.set(index, windows);
    const key = JSON.stringify([labels.releaseId, labels.part, labels.version, labels.group]);
    const found = windows.get(key) ?? { labels, begun: 0, settled: 0, balances: new Map<string, number>() };
    windows.set(key, found);
    return found;
  }
}

function addTo(balances: Map<string, number>, network: string, views: number): void {
  balances.set(network, (balances.get(network) ?? 0) + views);
}

function windowIndex(time: number): number {
  return Math.floor(time / windowLength);
}

/** Whether all views that began in a window had time to settle. */
function hasSettled(index: number, now: number): boolean {
  return now >= (index + 1) * windowLength + settlingTime;
}
