import { periodLength, type VersionCounts } from '@countersign/contracts/page-report';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { releasedVersions, type ReleasedVersions } from '@countersign/contracts/release-versions';
import type { PartName } from '@countersign/contracts/remotes';
import { assertPercent, type Change } from '../deploy/change.ts';
import { deployRelease, LostRace, type Approve, type ResolveSiteConfig } from '../deploy/deploy-release.ts';
import { errorMessage } from '../platform/file-error.ts';
import { ReleaseError } from '../platform/release-error.ts';
import type { HistoryEntry } from '../store/history.ts';
import type { LiveState } from '../store/live-store.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import {
  assessCanary,
  errorRate,
  type Assessment,
  type AssessmentOptions,
  type Comparison,
  type Measure,
} from './assess-canary.ts';
import {
  describeMeasures,
  describeNeeds,
  describeNoticed,
  describeViews,
  effectsOf,
  type Sensitivity,
} from './describe-canary.ts';
import { readPageReports, type ReportsSource } from './read-page-reports.ts';

export interface WatchOptions extends Sensitivity {
  readonly part: PartName;
  readonly reports: ReportsSource;
  /** Views of the canary that the assessment `fine` needs. */
  readonly minimumViews: number;
  /**
   * Rising percentages that end with 100, or none. A canary that is fine gets the next one, and is promoted at 100. Without
   * stages it stays as it is.
   */
  readonly stages: readonly number[];
  /** Between two reads of the reports, in milliseconds. */
  readonly interval: number;
  /** For each stage, in milliseconds. A watch without a result by then ends; the canary stays. */
  readonly timeout: number;
  readonly who: string;
  readonly stopping: AbortSignal;
  /** Checks what visitors get by a stage or a promotion. */
  readonly approve: Approve;
  /** Gets what was seen so far, what that would have shown, and why nothing is seen. */
  progress(line: string): void;
  /** A canary that was fine was given a higher percentage. */
  raised(percent: number): void;
}

/**
 * Result of a watch. `fine`: not worse, and there are no stages. `ended`: another command changed the canary or the live version,
 * so the watch changed nothing more. `undecided`: the timeout or a stop came first, {@link WatchOutcome.why}.
 */
export interface WatchOutcome extends Comparison {
  readonly outcome: 'rolled-back' | 'promoted' | 'fine' | 'ended' | 'undecided';
  readonly version: string;
  /** Percentage of the canary at its last assessment. */
  readonly percent: number;
  /** The measure that caused a rollback. */
  readonly because?: Measure;
  /** What the views would have shown, or why they are missing. */
  readonly why: string;
}

/**
 * Reads the reports of visitors until they suffice to assess a canary. Rolls it back if it is worse than the stable
 * version. Otherwise raises it to the next stage and assesses it again, until it is promoted. The store and the lead service
 * have all state, so that a watch that is started again continues. Throws a {@link ReleaseError} if the part has no canary.
 */
export async function watchCanary(
  store: ReleaseStore,
  resolveSiteConfig: ResolveSiteConfig,
  options: WatchOptions,
): Promise<WatchOutcome> {
  const { part, stages, who } = options;
  for (const stage of stages) assertPercent(part, stage);
  const found = await store.readLive();
  const first = found && releasedVersions(part, found.release);
  if (!first?.canary)
    throw new ReleaseError(`${part} has no canary. Start one: canary ${part} <version> --percent 10.`);
  const { version } = first.canary;
  let { percent } = first.canary;
  if (percent <= 0 || percent >= 100) {
    throw new ReleaseError(
      `${part} ${version} is a canary for ${percent} % of visitors, so there are no two groups to compare. Change that: canary ${part} ${version} --percent 10.`,
    );
  }
  for (;;) {
    const expected: WatchedVersions = { ...first, canary: { version, percent } };
    const { assessment, because, comparison, why } = await assessStage(store, options, expected);
    const result = { version, percent, ...comparison, why };
    if (assessment === 'ended') return { outcome: assessment, ...result };
    if (assessment === 'waiting') return { outcome: 'undecided', ...result };

    const next = stages.find((stage) => stage > percent);
    if (assessment === 'fine' && next === undefined) return { outcome: 'fine', ...result };
    const isRaised = assessment === 'fine' && next !== undefined && next < 100;
    const change: Change = isRaised
      ? { kind: 'canary', part, version, percent: next, expected }
      : assessment === 'fine'
        ? { kind: 'promote', versions: { [part]: version }, expected }
        : { kind: 'rollback', part, expected };
    const seen = describeViews(because, comparison, first.live);
    const reason = assessment === 'worse' ? seen : `${seen}; ${why}`;
    try {
      const approve = assessment === 'fine' ? options.approve : undefined;
      await deployRelease(store, change, resolveSiteConfig, { who, why: reason }, approve);
    } catch (error) {
      if (error instanceof LostRace) return { outcome: 'ended', ...result };
      throw error;
    }
    if (assessment === 'worse') return { outcome: 'rolled-back', because, ...result };
    if (!isRaised) return { outcome: 'promoted', ...result };
    options.raised(next);
    percent = next;
  }
}

/** The state of a part while its canary is assessed. */
interface WatchedVersions extends ReleasedVersions {
  readonly canary: NonNullable<ReleasedVersions['canary']>;
}

interface StageAssessment {
  /** `ended`: another command changed the canary. `waiting`: still so at the timeout or stop. */
  readonly assessment: Assessment['assessment'] | 'ended';
  readonly because: Measure;
  readonly comparison: Comparison;
  /** As in {@link WatchOutcome}. */
  readonly why: string;
}

/**
 * Assesses a canary repeatedly, by the views of all releases in which it has had its present percentage, until it is `fine`
 * or `worse`, another command changes it, or the time is up.
 */
async function assessStage(
  store: ReleaseStore,
  options: WatchOptions,
  watched: WatchedVersions,
): Promise<StageAssessment> {
  const { part, minimumViews, without } = options;
  // A watch assesses the present percentage and each stage but the last, which is the promotion.
  const level = errorRate / Math.max(1, options.stages.length);
  const { percent } = watched.canary;
  const assessed: AssessmentOptions = { percent, minimumViews, level, effects: effectsOf(options) };
  const end = performance.now() + options.timeout;
  let last: StageAssessment = {
    assessment: 'waiting',
    because: 'failed',
    comparison: compareGroups([], watched),
    why: 'no view is known',
  };
  for (let isFirst = true; ; isFirst = false) {
    const live = await store.readLive();
    if (!live || !isDeepStrictEqual(watched, releasedVersions(part, live.release)))
      return { ...last, assessment: 'ended' };
    const stage = await readStage(store, live, part);
    if (isFirst) await announceNeeds(options, watched, assessed);
    const reading = readStageReports(options, stage);
    // The first read must succeed. Later ones are repeated.
    const reports = await (isFirst ? reading : reading.catch(errorMessage));
    if (typeof reports === 'string') {
      if (last.why !== reports) options.progress(reports);
      last = { ...last, why: reports };
    } else {
      const comparison = compareGroups(reports, watched);
      const noticed = describeNoticed(comparison, assessed);
      const why = [noticed, ...without.map((measure) => `judged without ${measure}`)].join('; ');
      last = { ...assessCanary(comparison, assessed), comparison, why };
      options.progress(`${describeMeasures(comparison)}; ${why}`);
    }
    const isDecided = last.assessment !== 'waiting';
    if (isDecided || performance.now() > end || options.stopping.aborted) return last;
    await delay(options.interval, undefined, { signal: options.stopping }).catch(() => undefined);
  }
}

/** Entries of the history since the part's canary got its present percentage, newest first. Other parts may have been released since. */
async function readStage(
  store: ReleaseStore,
  live: LiveState,
  part: PartName,
): Promise<readonly HistoryEntry[]> {
  for (let wanted = 16; ; wanted *= 4) {
    const entries = await store.recentHistory(live, wanted);
    // The last change of the part has set the percentage.
    const first = entries.findIndex((entry) => entry.part === part && changesVersions(entry));
    if (first >= 0) return entries.slice(0, first + 1);
    if (wanted >= live.entry.sequence) return entries;
  }
}

function changesVersions({ action }: HistoryEntry): boolean {
  return action === 'promote' || action === 'canary' || action === 'rollback';
}

/** Time whose reports tell how often the stable version has events, in milliseconds. */
const week = 7 * 24 * 3_600_000;

/** Tells before an assessment how many views it needs. */
async function announceNeeds(
  { reports, part, progress }: WatchOptions,
  watched: WatchedVersions,
  assessed: AssessmentOptions,
): Promise<void> {
  const { stable } = compareGroups(await readPageReports(reports, part, Date.now() - week), watched);
  progress(`by the last 7 days of ${watched.live}: ${describeNeeds(stable, assessed)}`);
}

/** Difference between the clocks of the releaser and the lead service that does no harm, in milliseconds. */
const clockTolerance = periodLength;

/** Reads the reports on the part since a stage began, of its releases only. Returns why if there are others only. */
async function readStageReports(
  { reports, part }: WatchOptions,
  stage: readonly HistoryEntry[],
): Promise<readonly VersionCounts[] | string> {
  // Reports are counted in periods. The one in which the stage began may have begun a whole period before.
  const since = Date.parse(stage.at(-1)?.at ?? '') - periodLength - clockTolerance;
  const releaseIds = new Set(stage.map(({ releaseId }) => releaseId));
  const found = await readPageReports(reports, part, since);
  const own = found.filter(({ releaseId }) => releaseIds.has(releaseId));
  if (own.length > 0 || found.length === 0) return own;
  return `the lead service counts views of ${part}, but none of this release. If that stays so, its LIVE_PAGE is not this page, or no page of this release is opened`;
}

/** Adds up the counts of a canary, and those of the stable version in the group of the other visitors. */
function compareGroups(reports: readonly VersionCounts[], { canary, live }: WatchedVersions): Comparison {
  const sumOf = (named: string, group: VersionCounts['group']) => {
    const own = reports.filter((counts) => counts.version === named && counts.group === group);
    const sum = (count: (counts: VersionCounts) => number) =>
      own.reduce((total, counts) => total + count(counts), 0);
    return {
      views: sum(({ views }) => views),
      failed: sum(({ failed }) => Object.values(failed).reduce((total, views) => total + views, 0)),
      slow: sum(({ slow }) => slow),
      leads: sum(({ leads }) => leads),
    };
  };
  return { canary: sumOf(canary.version, 'canary'), stable: sumOf(live, 'stable') };
}
