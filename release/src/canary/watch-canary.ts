import { setTimeout as delay } from 'node:timers/promises';
import type { RemoteName } from '@countersign/contracts/remotes';
import { CanaryChanged, canaryOf, isSameCanary, type CanarySnapshot } from '../deploy/canary-snapshot.ts';
import type { Change } from '../deploy/change.ts';
import { deployRelease, type ResolveSiteConfig } from '../deploy/deploy-release.ts';
import { ReleaseError } from '../platform/release-error.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { CanaryCounts, type Comparisons } from './canary-counts.ts';
import { errorRate, ReportsTest, type ReportsAssessment } from './assess-reports.ts';
import { lacksLiveVersions } from './part-metrics.ts';
import { scrapeMetrics } from './scrape-metrics.ts';

export interface WatchOptions {
  readonly part: RemoteName;
  /** Addresses of the metrics of all instances of the lead service. */
  readonly metrics: readonly string[];
  /** Views of the canary that an assessment needs. */
  readonly minimumViews: number;
  /**
   * Rising percentages that end with 100, or none. A canary that is fine gets the next one, and is promoted at 100. Without
   * stages it stays as it is.
   */
  readonly stages: readonly number[];
  /** Between two scrapes, in milliseconds. */
  readonly interval: number;
  /** How long the lead service withholds a view that has begun, in milliseconds. */
  readonly settlingTime: number;
  /** For each stage, in milliseconds. A watch without a result by then ends; the canary stays. */
  readonly timeout: number;
  readonly who: string;
  readonly stopping: AbortSignal;
  progress(comparisons: Comparisons): void;
  /** A canary that was fine was given a higher percentage. */
  raised(percent: number): void;
}

/**
 * Result of a watch. `ended`: another command changed the canary or the live version, so the watch changed nothing.
 * `mismatched`: not worse, but the share of canary views does not fit the canary's percentage.
 */
export interface WatchOutcome extends Comparisons {
  readonly outcome: 'rolled-back' | 'promoted' | 'fine' | 'ended' | 'undecided' | 'mismatched';
  readonly version: string;
  /** Percentage of the canary at its last assessment. */
  readonly percent: number;
  /** The measure that caused a rollback. */
  readonly because?: keyof Comparisons;
}

/**
 * Scrapes metrics until the reports of visitors suffice to assess a canary. Rolls it back if it is worse than the stable
 * version. Otherwise raises it to the next stage and assesses it again, until it is promoted. All state is in the store, so
 * that a watch that was killed can be started again. Throws a {@link ReleaseError} if the part has no canary.
 */
export async function watchCanary(
  store: ReleaseStore,
  resolveSiteConfig: ResolveSiteConfig,
  options: WatchOptions,
): Promise<WatchOutcome> {
  const { part, stages, who } = options;
  const currentCanary = async () => canaryOf((await store.readLive())?.release, part);
  const started = await currentCanary();
  if (!started)
    throw new ReleaseError(`${part} has no canary. Start one: canary ${part} <version> --percent 10.`);
  await assertKnownVersions(options.metrics);

  let canary: CanarySnapshot = started;
  for (;;) {
    const expected: CanarySnapshot = canary;
    const { version, live, percent } = expected;
    const isSame = async () => isSameCanary(expected, await currentCanary());
    const { assessment, because, comparisons } = await assessStage(options, expected, isSame);
    const found = { version, percent, ...comparisons };
    if (assessment === 'ended' || assessment === 'mismatched') return { outcome: assessment, ...found };
    if (assessment === 'waiting') return { outcome: 'undecided', ...found };

    const next = stages.find((stage) => stage > percent) ?? stages.at(-1);
    if (assessment === 'fine' && next === undefined) return { outcome: 'fine', ...found };
    const isRaised = assessment === 'fine' && next !== undefined && next < 100;
    const change: Change = isRaised
      ? { kind: 'raiseCanary', part, percent: next, expected }
      : { kind: assessment === 'fine' ? 'promoteCanary' : 'endCanary', part, expected };
    const why = describeViews(because, comparisons, live);
    try {
      await deployRelease(store, change, resolveSiteConfig, { who, why });
    } catch (error) {
      if (error instanceof CanaryChanged) return { outcome: 'ended', ...found };
      throw error;
    }
    if (assessment === 'worse') return { outcome: 'rolled-back', because, ...found };
    if (!isRaised) return { outcome: 'promoted', ...found };
    options.raised(next);
    canary = { version, live, percent: next };
  }
}

interface StageAssessment {
  /** `ended`: another command changed the canary. `waiting`, `mismatched`: as of the timeout. */
  readonly assessment: ReportsAssessment['assessment'] | 'ended';
  readonly because: keyof Comparisons;
  readonly comparisons: Comparisons;
}

/** Assesses a canary at its present percentage, by the views from now on. */
async function assessStage(
  options: WatchOptions,
  canary: CanarySnapshot,
  isSame: () => Promise<boolean>,
): Promise<StageAssessment> {
  const counts = new CanaryCounts(options.part, canary, options.settlingTime);
  // A watch assesses at most as many percentages as it has stages: the last stage is the promotion.
  const level = errorRate / Math.max(1, options.stages.length);
  const test = new ReportsTest(canary.percent, options.minimumViews, level);
  const end = performance.now() + options.timeout;
  for (;;) {
    await scrapeMetrics(options.metrics, (address, metrics) => counts.add(address, metrics));
    const { comparisons } = counts;
    options.progress(comparisons);
    const { assessment, because } = test.assess(comparisons);
    if (!(await isSame())) return { assessment: 'ended', because, comparisons };
    const isDecided = assessment === 'fine' || assessment === 'worse';
    if (isDecided || performance.now() > end || options.stopping.aborted) {
      return { assessment, because, comparisons };
    }
    await delay(options.interval, undefined, { signal: options.stopping }).catch(() => undefined);
  }
}

/** Throws a {@link ReleaseError} if no instance responds, or if one does not know the live versions. */
async function assertKnownVersions(addresses: readonly string[]): Promise<void> {
  const withoutVersions: string[] = [];
  const answered = await scrapeMetrics(addresses, (address, metrics) => {
    if (lacksLiveVersions(metrics)) withoutVersions.push(address);
  });
  if (answered === 0) {
    throw new ReleaseError(
      `${addresses.join(', ')} does not answer. Set --metrics to the addresses of the lead service's metrics.`,
    );
  }
  if (withoutVersions.length > 0) {
    throw new ReleaseError(
      `The lead service at ${withoutVersions.join(', ')} does not know the live versions. Set its LIVE_PAGE. If it is set, its log says why that page cannot be read.`,
    );
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
