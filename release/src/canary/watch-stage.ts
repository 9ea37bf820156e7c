import { setTimeout as delay } from 'node:timers/promises';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { PartName } from '@countersign/contracts/remotes';
import type { Change } from '../deploy/change.ts';
import {
  deployRelease,
  LostRace,
  type PreDeployCheck,
  type ResolveSiteConfig,
} from '../deploy/deploy-release.ts';
import { errorMessage } from '../platform/errors.ts';
import { IncompleteChange, RefusedRelease } from '../platform/release-error.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import type { Versions } from '../store/versions.ts';
import {
  falseAlarmRate,
  requiredEffects,
  type AssessmentOptions,
  type Comparison,
  type Measure,
  type Sensitivity,
} from './assess-canary.ts';
import { announceNeeds, assessParts, nothingSeen, type ReportedCanary } from './assess-parts.ts';
import { canaryVersions, changeFor, isApplied, type WatchedCanary } from './watched-canary.ts';

export interface WatchOptions extends Sensitivity, ReportedCanary {
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
  readonly releaser: string;
  readonly stopping: AbortSignal;
  /** Checks what visitors get by a stage or a promotion. */
  readonly check: PreDeployCheck;
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
  /** The effects that the views would have shown, or why they are missing. */
  readonly why: string;
}

/** A change of a watch that failed. */
interface FailedChange {
  readonly change: Change;
  readonly error: unknown;
}

/** The outcome of a watch, or the release in which the canary has the next percentage. */
type StageResult = WatchOutcome | { readonly raisedTo: ReleaseDocument };

/** The input of a {@link StageWatch}. */
interface WatchContext {
  readonly store: ReleaseStore;
  readonly resolveSiteConfig: ResolveSiteConfig;
  readonly options: WatchOptions;
  readonly watched: WatchedCanary;
}

/** The watch of a canary at one percentage. */
export class StageWatch {
  readonly #context: WatchContext;
  readonly #assessmentOptions: AssessmentOptions;
  /** When it ends without a result, by `performance.now()`. A change that fails and is repeated moves it. */
  #deadline: number;
  #isAnnounced = false;
  #lastAssessment = nothingSeen;
  /** The last change that failed. */
  #failed: FailedChange | undefined;
  /** The changes whose outcome is unknown, or that are committed without their pages being served, oldest first. */
  readonly #incomplete: FailedChange[] = [];
  /** When to attempt the next stage again (`performance.now()`), because each check is expensive. `Infinity` after a refusal. */
  #retryAt = 0;
  /** Part → why its views could not be seen at the last assessment. */
  readonly #reasons = new Map<PartName, string>();

  constructor(context: WatchContext) {
    const { stages, minimumViews, timeout } = context.options;
    const { percent, states } = context.watched;
    // A watch assesses the present percentage and each stage but the last, which is the promotion.
    const level = falseAlarmRate / Math.max(1, stages.length) / states.size;
    this.#context = context;
    this.#assessmentOptions = { percent, minimumViews, level, effects: requiredEffects(context.options) };
    this.#deadline = performance.now() + timeout;
  }

  /**
   * Assesses the canary repeatedly, until it is changed or the time is up. A failure does not end the watch before, because that would
   * leave the canary with its visitors.
   */
  async run(): Promise<StageResult> {
    const { options, watched } = this.#context;
    const { stages, interval, stopping } = options;
    const next = stages.find((each) => each > watched.percent);
    for (;;) {
      const ended = await this.#assess();
      if (ended) return ended;
      const { assessment } = this.#lastAssessment;
      if (assessment === 'fine' && next === undefined) return this.#resultOf('fine');
      // After a stop, only a rollback is urgent. The check of another change takes minutes.
      const isDecided = assessment === 'worse' || (assessment === 'fine' && !stopping.aborted);
      const change = isDecided ? changeFor(assessment, watched, next) : undefined;
      const changed = change && (await this.#applyChange(change));
      if (changed) return changed;
      if (performance.now() > this.#deadline || stopping.aborted) {
        const failed = this.#incomplete.at(-1) ?? (change && this.#failed);
        if (failed) throw failed.error;
        return this.#resultOf('undecided');
      }
      await delay(interval, undefined, { signal: stopping }).catch(() => undefined);
    }
  }

  /** Assesses the canary once. What cannot be read now may be read the next time. Resolves to the result if it has been changed. */
  async #assess(): Promise<StageResult | undefined> {
    const { store, options, watched } = this.#context;
    try {
      if (!this.#isAnnounced) {
        // Before, because a failure must not keep the canary from being assessed.
        this.#isAnnounced = true;
        await announceNeeds(options, watched, this.#assessmentOptions);
      }
      const found = await assessParts(store, options, watched, this.#assessmentOptions, this.#noteReason);
      if (!found) return await this.#resultOfChanged();
      this.#lastAssessment = found;
    } catch (error) {
      this.#lastAssessment = { ...this.#lastAssessment, assessment: 'waiting', why: errorMessage(error) };
      this.#noteReason(options.part, this.#lastAssessment.why);
    }
    return undefined;
  }

  /** The result for a canary that another command has changed, or a change of this watch. Completes the latter. */
  async #resultOfChanged(): Promise<StageResult> {
    const { store, watched } = this.#context;
    const { release } = await store.liveStore.require();
    const applied = this.#incomplete.find(({ change }) => isApplied(change, watched, release));
    if (!applied) return this.#resultOf('ended');
    await store.linkLivePages();
    return this.#resultOfChange(applied.change, release);
  }

  /** The result of a change of this watch. */
  #resultOfChange({ kind }: Change, release: ReleaseDocument): StageResult {
    if (kind === 'rollback')
      return { ...this.#resultOf('rolled-back'), because: this.#lastAssessment.because };
    return kind === 'canary' ? { raisedTo: release } : this.#resultOf('promoted');
  }

  /** Prints why the views of a part cannot be seen, once until the reason changes. */
  readonly #noteReason = (part: PartName, reason: string | undefined) => {
    if (reason !== undefined && reason !== this.#reasons.get(part)) this.#context.options.progress(reason);
    this.#reasons.set(part, reason ?? '');
  };

  /** Deploys a change of the canary. Resolves to `undefined` if that failed and the watch goes on. */
  async #applyChange(change: Change): Promise<StageResult | undefined> {
    const { store, resolveSiteConfig, options } = this.#context;
    const { decisiveViews, why } = this.#lastAssessment;
    const isRollback = change.kind === 'rollback';
    if (!isRollback && performance.now() < this.#retryAt) return undefined;
    const reason = isRollback ? decisiveViews : `${decisiveViews}; ${why}`;
    const attribution = { who: options.releaser, why: reason };
    const check = isRollback ? undefined : options.check;
    try {
      const release = await deployRelease(store, change, resolveSiteConfig, attribution, check);
      return this.#resultOfChange(change, release);
    } catch (error) {
      // The next assessment finds what has changed it.
      if (error instanceof LostRace) return this.#incomplete.length > 0 ? undefined : this.#resultOf('ended');
      for (const line of errorMessage(error).split('\n')) options.progress(line);
      const isRefused = error instanceof RefusedRelease;
      if (!isRollback) this.#retryAt = isRefused ? Infinity : performance.now() + 12 * options.interval;
      // The first failure of each kind of change restarts the timeout, so that retries have time. Retries are safe, because `expected`
      // refuses a second commit.
      if (!isRefused && this.#failed?.change.kind !== change.kind)
        this.#deadline = performance.now() + options.timeout;
      this.#failed = { change, error };
      if (error instanceof IncompleteChange) this.#incomplete.push(this.#failed);
      return undefined;
    }
  }

  #resultOf(outcome: WatchOutcome['outcome']): WatchOutcome {
    const { watched } = this.#context;
    const { version, percent, states } = watched;
    const joint = states.size > 1 && { versions: canaryVersions(watched) };
    const { comparison, why } = this.#lastAssessment;
    return { outcome, version, ...joint, percent, ...comparison, why };
  }
}
