import { setTimeout as delay } from 'node:timers/promises';
import type { RemoteName } from '@countersign/contracts/remotes';
import { flipRelease, type SiteAfter } from '../flip/flip-release.ts';
import { ReleaseFault } from '../release-fault.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { judgeCanary, type ViewCount } from './judge-canary.ts';
import { Growth, readCounts } from './part-counts.ts';

export interface WatchOptions {
  readonly part: RemoteName;
  /** Addresses of the metrics of all instances of the service. */
  readonly metrics: readonly string[];
  /** Views of the canary before it is judged. */
  readonly minimumViews: number;
  /** Make it live for everybody when it is fine. */
  readonly promote: boolean;
  /** Between two looks, in milliseconds. */
  readonly interval: number;
  /** After this long without a verdict the watch gives up, in milliseconds. The canary stays. */
  readonly patience: number;
  readonly who: string;
  readonly stopping: AbortSignal;
  progress(canary: ViewCount, stable: ViewCount): void;
}

/** How a watch ended. `ended`: somebody else has ended or replaced the canary. */
export interface WatchOutcome {
  readonly outcome: 'rolled-back' | 'promoted' | 'fine' | 'ended' | 'undecided';
  readonly version: string;
  readonly canary: ViewCount;
  readonly stable: ViewCount;
}

/**
 * Watches a canary until it can be judged by the reports of visitors. Worse than the stable version, it is rolled back;
 * otherwise it is promoted where that was asked for. Throws a {@link ReleaseFault} when there is no canary to watch.
 */
export async function watchCanary(
  store: ReleaseStore,
  siteAfter: SiteAfter,
  options: WatchOptions,
): Promise<WatchOutcome> {
  const { part, minimumViews, who } = options;
  const watched = await canaryOf(store, part);
  if (!watched)
    throw new ReleaseFault(`${part} has no canary. Start one: canary ${part} <version> --percent 10.`);
  const { version, live } = watched;
  const counted = {
    canary: new Count((metrics) => readCounts(metrics, part, version, 'canary')),
    stable: new Count((metrics) => readCounts(metrics, part, live, 'stable')),
  };
  const end = performance.now() + options.patience;

  for (let looks = 1; ; looks += 1) {
    const answered = await look(options.metrics, (address, metrics) => {
      counted.canary.add(address, metrics);
      counted.stable.add(address, metrics);
    });
    if (looks === 1 && answered === 0) {
      throw new ReleaseFault(
        `${options.metrics.join(', ')} does not answer. Name the address of the service's metrics.`,
      );
    }
    const [canary, stable] = [counted.canary.sum, counted.stable.sum];
    options.progress(canary, stable);
    const counts = { version, canary, stable };
    if ((await canaryOf(store, part))?.version !== version) return { outcome: 'ended', ...counts };

    const verdict = judgeCanary(canary, stable, minimumViews);
    const why = `${canary.failures} of ${canary.views} views failed, ${stable.failures} of ${stable.views} of ${live}`;
    if (verdict === 'worse') {
      await flipRelease(store, { action: 'rollback', part, canary: version }, siteAfter, { who, why });
      return { outcome: 'rolled-back', ...counts };
    }
    if (verdict === 'fine' && options.promote) {
      await flipRelease(store, { action: 'promote', versions: { [part]: version } }, siteAfter, { who, why });
      return { outcome: 'promoted', ...counts };
    }
    if (verdict === 'fine') return { outcome: 'fine', ...counts };
    if (performance.now() > end || options.stopping.aborted) return { outcome: 'undecided', ...counts };
    await delay(options.interval, undefined, { signal: options.stopping }).catch(() => undefined);
  }
}

async function canaryOf(store: ReleaseStore, part: RemoteName) {
  const remote = (await store.readLive())?.release.remotes[part];
  return remote?.canary && { version: remote.canary.version.version, live: remote.live.version };
}

/** Adds the metrics of the instances that answer. One that does not is asked again at the next look. */
async function look(
  addresses: readonly string[],
  into: (address: string, metrics: string) => void,
): Promise<number> {
  const answers = await Promise.allSettled(
    addresses.map(async (address) => {
      const answer = await fetch(address, { signal: AbortSignal.timeout(5_000) });
      if (!answer.ok) throw new Error(`${address} answered ${answer.status}.`);
      into(address, await answer.text());
    }),
  );
  return answers.filter(({ status }) => status === 'fulfilled').length;
}

/** What all instances have counted together for one version. */
class Count {
  readonly #growths = new Map<string, Growth>();
  readonly #read: (metrics: string) => ViewCount;

  constructor(read: (metrics: string) => ViewCount) {
    this.#read = read;
  }

  add(address: string, metrics: string): void {
    const growth = this.#growths.get(address) ?? new Growth();
    this.#growths.set(address, growth);
    growth.add(this.#read(metrics));
  }

  get sum(): ViewCount {
    const sums = [...this.#growths.values()].map(({ sum }) => sum);
    return {
      views: sums.reduce((all, { views }) => all + views, 0),
      failures: sums.reduce((all, { failures }) => all + failures, 0),
    };
  }
}
