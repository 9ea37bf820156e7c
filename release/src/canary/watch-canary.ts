import { setTimeout as delay } from 'node:timers/promises';
import type { RemoteName } from '@countersign/contracts/remotes';
import { CanaryChanged, canaryOf, isSameCanary } from '../flip/change.ts';
import { flipRelease, type SiteAfter } from '../flip/flip-release.ts';
import { ReleaseFault } from '../release-fault.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { CanaryCounts, type Comparisons } from './canary-counts.ts';
import { judgeReports } from './judge-reports.ts';
import { isWithoutVersions } from './part-counts.ts';

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
  /** For how long the service holds back a view that has begun, in milliseconds. */
  readonly settlingTime: number;
  /** After this long without a verdict the watch gives up, in milliseconds. The canary stays. */
  readonly patience: number;
  readonly who: string;
  readonly stopping: AbortSignal;
  progress(comparisons: Comparisons): void;
}

/**
 * How a watch ended. `ended`: another command has changed the canary or the live version. The watch changes nothing then.
 * `mismatched`: no worse, but had by another share of visitors than the canary's percentage.
 */
export interface WatchOutcome extends Comparisons {
  readonly outcome: 'rolled-back' | 'promoted' | 'fine' | 'ended' | 'undecided' | 'mismatched';
  readonly version: string;
  /** In what the canary is worse, where it was rolled back. */
  readonly because?: keyof Comparisons;
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
  const { version, live, percent } = watched;
  const counts = new CanaryCounts(part, watched, options.settlingTime);
  const withoutVersions: string[] = [];
  const end = performance.now() + options.patience;

  for (let looks = 1; ; looks += 1) {
    const answered = await look(options.metrics, (address, metrics) => {
      if (looks === 1 && isWithoutVersions(metrics)) withoutVersions.push(address);
      counts.add(address, metrics);
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
    const { comparisons } = counts;
    options.progress(comparisons);
    const found = { version, ...comparisons };
    if (!isSameCanary(watched, await canaryNow())) return { outcome: 'ended', ...found };

    const { verdict, because } = judgeReports(comparisons, percent, minimumViews);
    if (verdict === 'fine' && !options.promote) return { outcome: 'fine', ...found };
    if (verdict === 'fine' || verdict === 'worse') {
      const action = verdict === 'worse' ? 'rollback' : 'promote';
      const why = describeViews(because, comparisons, live);
      try {
        await flipRelease(store, { action, part, judged: watched }, siteAfter, { who, why });
      } catch (error) {
        if (error instanceof CanaryChanged) return { outcome: 'ended', ...found };
        throw error;
      }
      return verdict === 'worse'
        ? { outcome: 'rolled-back', because, ...found }
        : { outcome: 'promoted', ...found };
    }
    if (performance.now() > end || options.stopping.aborted) {
      return { outcome: verdict === 'mismatched' ? 'mismatched' : 'undecided', ...found };
    }
    await delay(options.interval, undefined, { signal: options.stopping }).catch(() => undefined);
  }
}

/** `30 of 60 views failed, 0 of 540 of 1.0.0` */
export function describeViews(
  measure: keyof Comparisons,
  comparisons: Comparisons,
  stableName: string,
): string {
  const { canary, stable } = comparisons[measure];
  return `${canary.failures} of ${canary.views} views ${measure}, ${stable.failures} of ${stable.views} of ${stableName}`;
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
