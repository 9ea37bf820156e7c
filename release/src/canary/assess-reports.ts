import type { Comparisons } from './canary-counts.ts';
import { CanaryTest, type Assessment } from './assess-canary.ts';
import { assessLeads } from './assess-leads.ts';
import { hasRatioMismatch } from './sample-ratio.ts';

/** Probability that a watch rolls a sound canary back, over all measures, stages and reads. */
export const errorRate = 0.01;

/** The failures of which a canary must have no more. If it has more of several, the first one is named as the reason. */
export const failureMeasures = ['failed', 'hung', 'late', 'rerendered', 'slow'] as const;

/** Views with an interaction that an assessment of `slow` needs at most. No canary waits for them, because few visitors use a part. */
const minimumUses = 50;

/** One of the {@link failureMeasures}, or `leads`, of which a canary must bring no fewer. */
export type Measure = keyof Comparisons;

/**
 * `mismatched`: not worse, but the share of canary views does not fit its percentage (sample ratio mismatch), so the
 * comparison proves nothing. `because`: the measure in which the canary is worse, else the measure to report.
 */
export interface ReportsAssessment {
  readonly assessment: Assessment | 'mismatched';
  readonly because: Measure;
}

interface ReportsTestOptions {
  /** The canary's share of visitors, from 0 to 100. */
  readonly percent: number;
  readonly minimumViews: number;
  /** Probability that a sound canary is called worse. */
  readonly level: number;
  /** With `leads`, a canary is fine only if it is proven to bring no fewer. Without, it must only not be proven to bring fewer. */
  readonly goal?: 'leads' | undefined;
}

/**
 * Assesses a canary at one percentage, by each measure separately. It is worse if one measure is worse, and fine if all
 * are fine; of `slow` and, without a goal, `leads` it suffices that they are not worse.
 */
export class ReportsTest {
  readonly #tests: readonly (readonly [measure: (typeof failureMeasures)[number], test: CanaryTest])[];
  readonly #options: ReportsTestOptions;
  /** Significance level of each measure: an equal share of the level of all. */
  readonly #level: number;

  constructor(options: ReportsTestOptions) {
    this.#options = options;
    this.#level = options.level / (failureMeasures.length + 1);
    this.#tests = failureMeasures.map((measure) => [
      measure,
      new CanaryTest(
        this.#level,
        measure === 'slow' ? Math.min(minimumUses, options.minimumViews) : options.minimumViews,
      ),
    ]);
  }

  assess(comparisons: Comparisons): ReportsAssessment {
    const { percent, goal } = this.#options;
    const assessments = this.#tests.map(
      ([measure, test]) => [measure, test.assess(comparisons[measure])] as const,
    );
    const [because] = assessments.find(([, assessment]) => assessment === 'worse') ?? [];
    if (because !== undefined) return { assessment: 'worse', because };
    const leads = assessLeads(comparisons.leads, percent, this.#level);
    if (leads === 'worse') return { assessment: 'worse', because: 'leads' };
    if (assessments.some(([measure, assessment]) => assessment === 'waiting' && measure !== 'slow')) {
      return { assessment: 'waiting', because: 'failed' };
    }
    if (goal === 'leads' && leads === 'waiting') return { assessment: 'waiting', because: 'leads' };
    // All views that began to load, whether they report an outcome or not.
    const { canary, stable } = comparisons.hung;
    const isMismatched = hasRatioMismatch(canary.views, stable.views, percent);
    return { assessment: isMismatched ? 'mismatched' : 'fine', because: goal ?? 'failed' };
  }
}
