import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ReleaseContent, ReleaseDocument } from '@countersign/contracts/release-document';
import { stateOf, type PartState } from '@countersign/contracts/release-versions';
import type { PartName } from '@countersign/contracts/remotes';
import { assertPercent, type Change } from '../deploy/change.ts';
import { deployRelease, LostRace, type Approve, type ResolveSiteConfig } from '../deploy/deploy-release.ts';
import { partsInCanary } from '../deploy/rollback-of.ts';
import { errorMessage } from '../platform/errors.ts';
import { IncompleteChange, RefusedRelease, ReleaseError } from '../platform/release-error.ts';
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
 * have all state, so that a watch that is started again continues. Throws a {@link ReleaseError} if the part has no canary, its first
 * reports cannot be read, or a change of it fails until the time is up.
 */
export async function watchCanary(
  store: ReleaseStore,
  resolveSiteConfig: ResolveSiteConfig,
  options: WatchOptions,
): Promise<WatchOutcome> {
  let canary = await openWatch(store, options);
  for (;;) {
    const outcome = await watchStage(store, resolveSiteConfig, options, canary);
    if ('outcome' in outcome) return outcome;
    canary = canaryIn(outcome, options.part);
    options.raised(canary.percent);
  }
}

/** A canary at one percentage. */
interface WatchedCanary {
  readonly version: string;
  readonly percent: number;
  /** The parts whose versions visitors get together, with their states. */
  readonly states: ReadonlyMap<PartName, WatchedState>;
}

/** The state of a part while its canary is assessed. */
interface WatchedState extends PartState {
  readonly canary: NonNullable<PartState['canary']>;
}

/** The canary to watch. Throws a {@link ReleaseError} if it cannot be watched. */
async function openWatch(
  store: ReleaseStore,
  { part, stages, reports }: WatchOptions,
): Promise<WatchedCanary> {
  for (const each of stages) assertPercent(part, each);
  const live = await store.live.require();
  const canary = canaryIn(live.release, part);
  const { version, percent, states } = canary;
  if (percent <= 0 || percent >= 100) {
    throw new ReleaseError(
      `${part} ${version} is a canary for ${percent} % of visitors, so there are no two groups to compare. Change that: canary ${Object.entries(canaryVersions(canary)).flat().join(' ')} --percent 10.`,
    );
  }
  // Wrong settings are an error at once. Later failures of a read are repeated.
  const entries = await readStage(store, live, part);
  for (const each of states.keys()) await readStageReports(reports, each, entries);
  return canary;
}

function canaryIn(release: ReleaseContent, part: PartName): WatchedCanary {
  const watched = stateOf(part, release)?.canary;
  if (!watched)
    throw new ReleaseError(`${part} has no canary. Start one: canary ${part} <version> --percent 10.`);
  const states = partsInCanary(release, part).flatMap((each) => {
    const state = stateOf(each, release);
    return state?.canary ? [[each, { ...state, canary: state.canary }] as const] : [];
  });
  const { version, percent } = watched;
  return { version, percent, states: new Map(states) };
}

/** The versions of a canary. */
const canaryVersions = ({ states }: WatchedCanary): Versions =>
  Object.fromEntries([...states].map(([part, { canary }]) => [part, canary.version]));

/**
 * Assesses a canary at one percentage repeatedly, until it is changed or the time is up. Resolves to the release if it was raised. A
 * failure does not end the watch before, because that would leave the canary with its visitors.
 */
async function watchStage(
  store: ReleaseStore,
  resolveSiteConfig: ResolveSiteConfig,
  options: WatchOptions,
  canary: WatchedCanary,
): Promise<WatchOutcome | ReleaseDocument> {
  const { stages, minimumViews, timeout, stopping, who, progress } = options;
  const { version, percent, states } = canary;
  // A watch assesses the present percentage and each stage but the last, which is the promotion.
  const level = errorRate / Math.max(1, stages.length) / states.size;
  const assessed: AssessmentOptions = { percent, minimumViews, level, effects: requiredEffects(options) };
  const next = stages.find((each) => each > percent);
  let end = performance.now() + timeout;
  let isAnnounced = false;
  let last = nothingSeen;
  /** A change that failed, so that visitors still get the canary. */
  let failed: { readonly kind: Change['kind']; readonly error: unknown } | undefined;
  /** Whether the check has refused the next stage. It is not repeated, because it takes the time of the machine. */
  let isRefused = false;
  const reasons = new Map<PartName, string>();
  /** Prints why the views of a part cannot be seen, once until the reason changes. */
  const explain: Explain = (part, reason) => {
    if (reason !== undefined && reason !== reasons.get(part)) progress(reason);
    reasons.set(part, reason ?? '');
  };
  const resultOf = (outcome: WatchOutcome['outcome']): WatchOutcome => {
    const joint = states.size > 1 && { versions: canaryVersions(canary) };
    return { outcome, version, ...joint, percent, ...last.comparison, why: last.why };
  };
  for (;;) {
    try {
      if (!isAnnounced) await announceNeeds(options, canary, assessed);
      isAnnounced = true;
      const found = await assessParts(store, options, canary, assessed, explain);
      if (!found) return resultOf('ended');
      last = found;
    } catch (error) {
      last = { ...last, assessment: 'waiting', why: errorMessage(error) };
      explain(options.part, last.why);
    }
    const { assessment, because, seen, why } = last;
    if (assessment === 'fine' && next === undefined) return resultOf('fine');
    const change = assessment === 'waiting' ? undefined : changeFor(assessment, canary, next);
    const isBack = change?.kind === 'rollback';
    if (change && (isBack || !isRefused)) {
      const author = { who, why: isBack ? seen : `${seen}; ${why}` };
      try {
        const approve = isBack ? undefined : options.approve;
        const release = await deployRelease(store, change, resolveSiteConfig, author, approve);
        if (isBack) return { ...resultOf('rolled-back'), because };
        return change.kind === 'canary' ? release : resultOf('promoted');
      } catch (error) {
        if (error instanceof LostRace) return resultOf('ended');
        if (error instanceof IncompleteChange) throw error;
        for (const line of errorMessage(error).split('\n')) progress(line);
        isRefused ||= error instanceof RefusedRelease;
        // Repetitions have the whole timeout.
        if ((isBack || !isRefused) && failed?.kind !== change.kind) end = performance.now() + timeout;
        failed = { kind: change.kind, error };
      }
    }
    if (performance.now() > end || stopping.aborted) {
      if (failed && change) throw failed.error;
      return resultOf('undecided');
    }
    await delay(options.interval, undefined, { signal: stopping }).catch(() => undefined);
  }
}

/** What a watch does to a canary: it ends a worse one, and gives a fine one the next percentage, or promotes it at 100. */
function changeFor(assessment: 'worse' | 'fine', canary: WatchedCanary, next = 100): Change {
  const versions = canaryVersions(canary);
  const expected = Object.fromEntries(canary.states);
  if (assessment === 'worse') {
    const ended = Object.fromEntries([...canary.states.keys()].map((each) => [each, undefined]));
    return { kind: 'rollback', versions: ended, expected };
  }
  return next < 100
    ? { kind: 'canary', versions, percent: next, expected }
    : { kind: 'promote', versions, expected };
}

interface StageAssessment extends Assessment {
  readonly comparison: Comparison;
  /** As in {@link WatchOutcome}. */
  readonly why: string;
  /** The views of the part that was decisive. */
  readonly seen: string;
}

const nothingSeen: StageAssessment = {
  assessment: 'waiting',
  because: 'failed',
  comparison: { canary: noCounts, stable: noCounts },
  why: 'no view is known',
  seen: '',
};

/** Gets the reason why the views of a part cannot be seen at this look; `undefined` if they can. */
type Explain = (part: PartName, reason: string | undefined) => void;

/**
 * Assesses each part of a canary by the views of all releases in which it has had its present percentage. The worst decides. Resolves to
 * `undefined` if another command has changed the canary.
 */
async function assessParts(
  store: ReleaseStore,
  { part: watched, reports: source, without, progress }: WatchOptions,
  { states }: WatchedCanary,
  assessed: AssessmentOptions,
  explain: Explain,
): Promise<StageAssessment | undefined> {
  const live = await store.live.require();
  const isSame = [...states].every(([part, state]) => isDeepStrictEqual(state, stateOf(part, live.release)));
  if (!isSame) return undefined;
  const entries = await readStage(store, live, watched);
  const assessing = [...states].map(async ([part, state]): Promise<StageAssessment> => {
    const reports = await readStageReports(source, part, entries);
    if (typeof reports === 'string') {
      explain(part, reports);
      return { ...nothingSeen, why: reports };
    }
    explain(part, undefined);
    const comparison = compareGroups(reports, state);
    const noticed = describeNoticed(comparison, assessed);
    const why = [noticed, ...without.map((measure) => `judged without ${measure}`)].join('; ');
    const prefix = states.size > 1 ? `${part}: ` : '';
    progress(`${prefix}${describeMeasures(comparison)}; ${why}`);
    const assessment = assessCanary(comparison, assessed);
    const seen = `${prefix}${describeViews(assessment.because, comparison, state.live)}`;
    return { ...assessment, comparison, why, seen };
  });
  const found = await Promise.all(assessing);
  const worse = found.find(({ assessment }) => assessment === 'worse');
  return worse ?? found.find(({ assessment }) => assessment === 'waiting') ?? found[0];
}

/** Time whose reports tell how often the stable version has events, in milliseconds. */
const week = 7 * 24 * 3_600_000;

/** Tells before an assessment how many views it needs. */
async function announceNeeds(
  { reports, progress }: WatchOptions,
  { states }: WatchedCanary,
  assessed: AssessmentOptions,
): Promise<void> {
  for (const [part, state] of states) {
    const { stable } = compareGroups(await readPageReports(reports, part, Date.now() - week), state);
    progress(`by the last 7 days of ${state.live}: ${describeNeeds(stable, assessed)}`);
  }
}
