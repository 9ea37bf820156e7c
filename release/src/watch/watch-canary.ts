import { setTimeout as delay } from 'node:timers/promises';
import type { RemoteName } from '@countersign/contracts/remotes';
import { CanaryChanged, canaryOf, isSameCanary } from '../flip/change.ts';
import { flipRelease, type SiteAfter } from '../flip/flip-release.ts';
import { ReleaseFault } from '../release-fault.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { judgeCanary, type ViewCount } from './judge-canary.ts';
import { Growth, isWithoutVersions, readCounts } from './part-counts.ts';

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

/** How a watch ended. `ended`: another command has changed the canary or the live version. The watch changes nothing then. */
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
  const canaryNow = async () => canaryOf((await store.readLive())?.release, part);
  const watched = await canaryNow();
  if (!watched)
    throw new ReleaseFault(`${part} has no canary. Start one: canary ${part} <version> --percent 10.`);
  const { version, live } = watched;
  const counted = {
    canary: new Count((metrics) => readCounts(metrics, part, version, 'canary')),
    stable: new Count((metrics) => readCounts(metrics, part, live, 'stable')),
  };
  const withoutVersions: string[] = [];
  const end = performance.now() + options.patience;

  for (let looks = 1; ; looks += 1) {
    const answered = await look(options.metrics, (address, metrics) => {
      if (looks === 1 && isWithoutVersions(metrics)) withoutVersions.push(address);
      counted.canary.add(address, metrics);
      counted.stable.add(address, metrics);
    });
    if (looks === 1 && answered === 0) {
      throw new ReleaseFault(
        `${options.metrics.join(', ')} does not answer. Name the address of the service's metrics.`,
      );
    }
    if (withoutVersions.length > 0) {
      throw new ReleaseFault(
        `The lead service behind ${withoutVersions.join(', ')} does not know which versions are live. Set its LIVE_PAGE, or see in its log why that page cannot be read.`,
      );
    }
    const [canary, stable] = [counted.canary.sum, counted.stable.sum];
    options.progress(canary, stable);
    const counts = { version, canary, stable };
    if (!isSameCanary(watched, await canaryNow())) return { outcome: 'ended', ...counts };

    const verdict = judgeCanary(canary, stable, minimumViews);
    const why = `${canary.failures} of ${canary.views} views failed, ${stable.failures} of ${stable.views} of ${live}`;
    if (verdict === 'fine' && !options.promote) return { outcome: 'fine', ...counts };
    if (verdict !== 'waiting') {
      const action = verdict === 'worse' ? 'rollback' : 'promote';
      try {
        await flipRelease(store, { action, part, judged: watched }, siteAfter, { who, why });
      } catch (error) {
        if (error instanceof CanaryChanged) return { outcome: 'ended', ...counts };
        throw error;
      }
      return { outcome: verdict === 'worse' ? 'rolled-back' : 'promoted', ...counts };
    }
    if (performance.now() > end || options.stopping.aborted) return { outcome: 'undecided', ...counts };
    await delay(options.interval, undefined, { signal: options.stopping }).catch(() => undefined);
  }
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
