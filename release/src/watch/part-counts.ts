import { telemetryMetrics, type CanaryGroup } from '@countersign/contracts/telemetry';
import type { ViewCount } from './judge-canary.ts';

/** One sample of the Prometheus text format: name, labels, value. */
const sample = /^(\w+)\{(.*)\} (\S+)$/;
const label = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** What the metrics of one instance say of one version of a part. */
export function readCounts(metrics: string, part: string, version: string, group: CanaryGroup): ViewCount {
  let [views, failures] = [0, 0];
  for (const line of metrics.split('\n')) {
    const [, name, text = '', value] = sample.exec(line) ?? [];
    if (name !== telemetryMetrics.views && name !== telemetryMetrics.failures) continue;
    const labels = Object.fromEntries(
      [...text.matchAll(label)].map(([, key = '', found = '']) => [key, found]),
    );
    if (labels['part'] !== part || labels['version'] !== version || labels['group'] !== group) continue;
    if (name === telemetryMetrics.views) views += Number(value);
    else failures += Number(value);
  }
  return { views, failures };
}

/** Whether an instance says that it cannot tell versions apart. One from before that metric says nothing. */
export function isWithoutVersions(metrics: string): boolean {
  return metrics.split('\n').includes(`${telemetryMetrics.livePageUp} 0`);
}

/** Adds up what counters have grown by. One that has become smaller has started anew. */
export class Growth {
  #last: ViewCount | undefined;
  #sum: ViewCount = { views: 0, failures: 0 };

  /** The growth since the first reading. */
  get sum(): ViewCount {
    return this.#sum;
  }

  add(reading: ViewCount): void {
    const last = this.#last ?? reading;
    this.#last = reading;
    const startedAnew = reading.views < last.views || reading.failures < last.failures;
    const base = startedAnew ? { views: 0, failures: 0 } : last;
    this.#sum = {
      views: this.#sum.views + reading.views - base.views,
      failures: this.#sum.failures + reading.failures - base.failures,
    };
  }
}
