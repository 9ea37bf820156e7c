import { setTimeout as delay } from 'node:timers/promises';
import type { RemoteName } from '@countersign/contracts/remotes';
import { CanaryChanged, canaryOf, isSameCanary } from '../deploy/change.ts';
import { deployRelease, type ResolveSiteConfig } from '../deploy/deploy-release.ts';
import { ReleaseError } from '../platform/release-error.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { CanaryCounts, type Comparisons } from './canary-counts.ts';
import { assessReports } from './assess-reports.ts';
import { lacksLiveVersions } from './part-metrics.ts';

export interface WatchOptions {
  readonly part: RemoteName;
  /** Addresses of the metrics of all instances of the lead service. */
  readonly metrics: readonly string[];
  /** Views of the canary that an assessment needs. */
  readonly minimumViews: number;
  /** Promote the canary if it is fine. */
  readonly promote: boolean;
  /** Between two scrapes, in milliseconds. */
  readonly interval: number;
  /** How long the lead service withholds a view that has begun, in milliseconds. */
  readonly settlingTime: number;
  /** In milliseconds. A watch without a result by then ends; the canary stays. */
  readonly timeout: number;
  readonly who: string;
  readonly stopping: AbortSignal;
  progress(comparisons: Comparisons): void;
}

/**
 * Result of a watch. `ended`: another command changed the canary or the live version, so the watch changed nothing.
 * `mismatched`: not worse, but the share of canary views does not fit the canary's percentage.
 */
export interface WatchOutcome extends Comparisons {
  readonly outcome: 'rolled-back' | 'promoted' | 'fine' | 'ended' | 'undecided' | 'mismatched';
  readonly version: string;
  /** The measure that caused a rollback. */
  readonly because?: keyof Comparisons;
}

/**
 * Scrapes metrics until the reports of visitors suffice to assess a canary. Rolls it back if it is worse than the stable
 * version; promotes it otherwise if `promote` is set. Throws a {@link ReleaseError} if the part has no canary.
 */
export async function watchCanary(
  store: ReleaseStore,
  resolveSiteConfig: ResolveSiteConfig,
  options: WatchOptions,
): Promise<WatchOutcome> {
  const { part, minimumViews, who } = options;
  const currentCanary = async () => canaryOf((await store.readLive())?.release, part);
  const snapshot = await currentCanary();
  if (!snapshot)
    throw new ReleaseError(`${part} has no canary. Start one: canary ${part} <version> --percent 10.`);
  const { version, live, percent } = snapshot;
  const counts = new CanaryCounts(part, snapshot, options.settlingTime);
  const withoutVersions: string[] = [];
  const end = performance.now() + options.timeout;

  for (let scrapes = 1; ; scrapes += 1) {
    const answered = await scrapeMetrics(options.metrics, (address, metrics) => {
      if (scrapes === 1 && lacksLiveVersions(metrics)) withoutVersions.push(address);
      counts.add(address, metrics);
    });
    if (scrapes === 1 && answered === 0) {
      throw new ReleaseError(
        `${options.metrics.join(', ')} does not answer. Set --metrics to the addresses of the lead service's metrics.`,
      );
    }
    if (withoutVersions.length > 0) {
      throw new ReleaseError(
        `The lead service at ${withoutVersions.join(', ')} does not know the live versions. Set its LIVE_PAGE. If it is set, its log says why that page cannot be read.`,
      );
    }
    const { comparisons } = counts;
    options.progress(comparisons);
    const found = { version, ...comparisons };
    if (!isSameCanary(snapshot, await currentCanary())) return { outcome: 'ended', ...found };

    const { assessment, because } = assessReports(comparisons, percent, minimumViews);
    if (assessment === 'fine' && !options.promote) return { outcome: 'fine', ...found };
    if (assessment === 'fine' || assessment === 'worse') {
      const action = assessment === 'worse' ? 'rollback' : 'promote';
      const why = describeViews(because, comparisons, live);
      try {
        await deployRelease(store, { action, part, expected: snapshot }, resolveSiteConfig, { who, why });
      } catch (error) {
        if (error instanceof CanaryChanged) return { outcome: 'ended', ...found };
        throw error;
      }
      return assessment === 'worse'
        ? { outcome: 'rolled-back', because, ...found }
        : { outcome: 'promoted', ...found };
    }
    if (performance.now() > end || options.stopping.aborted) {
      return { outcome: assessment === 'mismatched' ? 'mismatched' : 'undecided', ...found };
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

/** Adds the metrics of all instances that respond, and returns their number. The next scrape retries the others. */
async function scrapeMetrics(
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
