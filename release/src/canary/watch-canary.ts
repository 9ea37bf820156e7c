import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ReleaseContent } from '@countersign/contracts/release-document';
import { releasedVersions, type ReleasedVersions } from '@countersign/contracts/release-versions';
import type { PartName } from '@countersign/contracts/remotes';
import { assertPercent, type Change } from '../deploy/change.ts';
import {
  deployRelease,
  LostRace,
  TooManyReleases,
  type Approve,
  type ResolveSiteConfig,
} from '../deploy/deploy-release.ts';
import { partsInCanary } from '../deploy/rollback-of.ts';
import { errorMessage } from '../platform/errors.ts';
import { IncompleteChange, ReleaseError, UndecidedCheck } from '../platform/release-error.ts';
import type { HistoryEntry } from '../store/stored-documents.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import {
  assessCanary,
  errorRate,
  noCounts,
  requiredEffects,
  type Assessment,
  type AssessmentOptions,
  type Comparison,
  type Measure,
  type Sensitivity,
} from './assess-canary.ts';
import { describeMeasures, describeNeeds, describeNoticed, describeViews } from './describe-canary.ts';

import { readPageReports, type ReportsSource } from './read-page-reports.ts';
import { compareGroups, readStage, readStageReports } from './stage-reports.ts';
import type { Versions } from '../store/versions.ts';

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
  /** Part → version, if visitors get several together. */
  readonly versions?: Versions;
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
 * have all state, so that a watch that is started again continues. Throws a {@link ReleaseError} if the part has no canary, or its first
 * reports cannot be read.
 */
export async function watchCanary(
  store: ReleaseStore,
  resolveSiteConfig: ResolveSiteConfig,
  options: WatchOptions,
): Promise<WatchOutcome> {
  const { stages, who } = options;
  const opened = await openWatch(store, options);
  const { version, watched } = opened;
  let { percent } = opened;
  /** A change that has failed. It is repeated until the timeout is over, counted from its first failure. */
  let failing: { readonly kind: Change['kind']; readonly until: number } | undefined;
  for (;;) {
    const states = new Map(
      [...watched].map(([each, state]) => [each, { ...state, canary: { ...state.canary, percent } }]),
    );
    const assessed = await assessStage(store, options, states, percent);
    const { assessment, because, comparison, why, seen } = assessed;
    const joint = watched.size > 1 && { versions: versionsIn(watched) };
    const result = { version, ...joint, percent, ...comparison, why };
    if (assessment === 'ended') return { outcome: 'ended', ...result };
    if (assessment === 'waiting') return { outcome: 'undecided', ...result };

    const next = stages.find((each) => each > percent);
    if (assessment === 'fine' && next === undefined) return { outcome: 'fine', ...result };
    const change = changeFor(assessment, states, next);
    const reason = assessment === 'worse' ? seen : `${seen}; ${why}`;
    try {
      const approve = assessment === 'fine' ? options.approve : undefined;
      await deployRelease(store, change, resolveSiteConfig, { who, why: reason }, approve);
    } catch (error) {
      if (error instanceof LostRace) return { outcome: 'ended', ...result };
      if (failing?.kind !== change.kind)
        failing = { kind: change.kind, until: performance.now() + options.timeout };
      const isRepeated = performance.now() < failing.until && mayPassLater(change, error);
      if (!isRepeated || options.stopping.aborted) throw error;
      // A watch that ends here would leave the canary with its visitors.
      options.progress(errorMessage(error));
      await nextAssessment(options);
      continue;
    }
    if (change.kind === 'rollback') return { outcome: 'rolled-back', because, ...result };
    if (change.kind === 'promote') return { outcome: 'promoted', ...result };
    percent = change.percent;
    options.raised(percent);
    failing = undefined;
  }
}

/** The canary to watch. Throws a {@link ReleaseError} if it cannot be watched. */
async function openWatch(store: ReleaseStore, { part, stages, reports }: WatchOptions) {
  for (const each of stages) assertPercent(part, each);
  const live = await store.live.read();
  const canary = live && releasedVersions(part, live.release)?.canary;
  if (!canary)
    throw new ReleaseError(`${part} has no canary. Start one: canary ${part} <version> --percent 10.`);
  const { version, percent } = canary;
  const watched = watchedParts(live.release, part);
  if (percent <= 0 || percent >= 100) {
    throw new ReleaseError(
      `${part} ${version} is a canary for ${percent} % of visitors, so there are no two groups to compare. Change that: canary ${Object.entries(versionsIn(watched)).flat().join(' ')} --percent 10.`,
    );
  }
  // Wrong settings are an error at once. Later failures of a read are repeated.
  const entries = await readStage(store, live, part);
  for (const each of watched.keys()) await readStageReports(reports, each, entries);
  return { version, percent, watched };
}

/** What a watch does to a canary: it ends a worse one, and gives a fine one the next percentage, or promotes it at 100. */
function changeFor(assessment: 'worse' | 'fine', states: WatchedParts, next = 100): Change {
  const versions = versionsIn(states);
  const expected = Object.fromEntries(states);
  if (assessment === 'worse') {
    const ended = Object.fromEntries([...states.keys()].map((each) => [each, undefined]));
    return { kind: 'rollback', versions: ended, expected };
  }
  return next < 100
    ? { kind: 'canary', versions, percent: next, expected }
    : { kind: 'promote', versions, expected };
}

/** Whether a change that failed may succeed later: each rollback, and others unless they are refused. */
function mayPassLater({ kind }: Change, error: unknown): boolean {
  if (error instanceof IncompleteChange) return false;
  return kind === 'rollback' || error instanceof TooManyReleases || error instanceof UndecidedCheck;
}

/** The state of a part while its canary is assessed. */
interface WatchedVersions extends ReleasedVersions {
  readonly canary: NonNullable<ReleasedVersions['canary']>;
}

/** The parts of a canary, whose versions visitors get together, with their states. */
type WatchedParts = ReadonlyMap<PartName, WatchedVersions>;

function watchedParts(release: ReleaseContent, part: PartName): WatchedParts {
  const states = partsInCanary(release, part).flatMap((each) => {
    const state = releasedVersions(each, release);
    return state?.canary ? [[each, { ...state, canary: state.canary }] as const] : [];
  });
  return new Map(states);
}

/** The versions of a canary. */
const versionsIn = (watched: WatchedParts): Versions =>
  Object.fromEntries([...watched].map(([part, { canary }]) => [part, canary.version]));

interface StageAssessment {
  /** `ended`: another command changed the canary. `waiting`: still so at the timeout or stop. */
  readonly assessment: Assessment['assessment'] | 'ended';
  readonly because: Measure;
  readonly comparison: Comparison;
  /** As in {@link WatchOutcome}. */
  readonly why: string;
  /** The views of the part that was decisive. */
  readonly seen: string;
}

/**
 * Assesses a canary repeatedly, by the views of all releases in which it has had its present percentage, until it is `fine`
 * or `worse`, another command changes it, or the time is up. Of several parts, the worst decides.
 */
async function assessStage(
  store: ReleaseStore,
  options: WatchOptions,
  watched: WatchedParts,
  percent: number,
): Promise<StageAssessment> {
  const { part, minimumViews, without } = options;
  // A watch assesses the present percentage and each stage but the last, which is the promotion.
  const level = errorRate / Math.max(1, options.stages.length) / watched.size;
  const assessed: AssessmentOptions = { percent, minimumViews, level, effects: requiredEffects(options) };
  const end = performance.now() + options.timeout;
  let last: StageAssessment = {
    assessment: 'waiting',
    because: 'failed',
    comparison: { canary: noCounts, stable: noCounts },
    why: 'no view is known',
    seen: '',
  };
  const assessPart = async (
    each: PartName,
    versions: WatchedVersions,
    entries: readonly HistoryEntry[],
  ): Promise<StageAssessment> => {
    const reports = await readStageReports(options.reports, each, entries);
    if (typeof reports === 'string') {
      if (last.why !== reports) options.progress(reports);
      return { ...last, assessment: 'waiting', why: reports };
    }
    const comparison = compareGroups(reports, versions);
    const noticed = describeNoticed(comparison, assessed);
    const why = [noticed, ...without.map((measure) => `judged without ${measure}`)].join('; ');
    const prefix = watched.size > 1 ? `${each}: ` : '';
    options.progress(`${prefix}${describeMeasures(comparison)}; ${why}`);
    const assessment = assessCanary(comparison, assessed);
    const seen = `${prefix}${describeViews(assessment.because, comparison, versions.live)}`;
    return { ...assessment, comparison, why, seen };
  };
  let isAnnounced = false;
  /** Assesses each part once. Resolves to `undefined` if another command has changed the canary. */
  const assessParts = async (): Promise<readonly StageAssessment[] | undefined> => {
    const live = await store.live.read();
    const isChanged = [...watched].some(
      ([each, versions]) => !live || !isDeepStrictEqual(versions, releasedVersions(each, live.release)),
    );
    if (!live || isChanged) return undefined;
    const entries = await readStage(store, live, part);
    if (!isAnnounced)
      for (const [each, versions] of watched) await announceNeeds(options, each, versions, assessed);
    isAnnounced = true;
    return Promise.all([...watched].map(([each, versions]) => assessPart(each, versions, entries)));
  };
  for (;;) {
    // Repeated after a failure, because a watch that ends leaves the canary with its visitors.
    const found = await assessParts().catch(errorMessage);
    if (found === undefined) return { ...last, assessment: 'ended' };
    if (typeof found === 'string') {
      if (last.why !== found) options.progress(found);
      last = { ...last, why: found };
    } else {
      const decisive = found.find(({ assessment }) => assessment === 'worse');
      last = decisive ?? found.find(({ assessment }) => assessment === 'waiting') ?? found[0] ?? last;
    }
    const isDecided = last.assessment !== 'waiting';
    if (isDecided || performance.now() > end || options.stopping.aborted) return last;
    await nextAssessment(options);
  }
}

/** Resolves after the interval, or once the watch stops. */
async function nextAssessment({ interval, stopping }: WatchOptions): Promise<void> {
  await delay(interval, undefined, { signal: stopping }).catch(() => undefined);
}

/** Time whose reports tell how often the stable version has events, in milliseconds. */
const week = 7 * 24 * 3_600_000;

/** Tells before an assessment how many views it needs. */
async function announceNeeds(
  { reports, progress }: WatchOptions,
  part: PartName,
  watched: WatchedVersions,
  assessed: AssessmentOptions,
): Promise<void> {
  const { stable } = compareGroups(await readPageReports(reports, part, Date.now() - week), watched);
  progress(`by the last 7 days of ${watched.live}: ${describeNeeds(stable, assessed)}`);
}
