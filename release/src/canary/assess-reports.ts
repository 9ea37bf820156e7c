import type { Comparisons } from './canary-counts.ts';
import { CanaryTest, type Assessment } from './assess-canary.ts';
import { hasRatioMismatch } from './sample-ratio.ts';

/** Probability that a watch rolls a sound canary back, over all measures, stages and scrapes. */
export const errorRate = 0.01;

/** In the order in which they are named as the reason. */
export const measures: readonly (keyof Comparisons)[] = ['failed', 'hung', 'late', 'rerendered'];

/**
 * `mismatched`: not worse, but the share of canary views does not fit its percentage (sample ratio mismatch), so the
 * comparison proves nothing. `because`: the measure in which the canary is worse, else the measure to report.
 */
export interface ReportsAssessment {
  readonly assessment: Assessment | 'mismatched';
  readonly because: keyof Comparisons;
}

/**
 * Assesses a canary at one percentage, by each measure separately. It is worse if one measure is worse, and fine if all
 * are fine. Views that close before they load count as hung in both groups, unless they report it. Only a higher share
 * counts against the canary.
 */
export class ReportsTest {
  readonly #tests: readonly (readonly [measure: keyof Comparisons, test: CanaryTest])[];
  readonly #percent: number;

  /**
   * @param percent the canary's share of visitors, from 0 to 100
   * @param level probability that a sound canary is called worse
   */
  constructor(percent: number, minimumViews: number, level: number) {
    this.#percent = percent;
    this.#tests = measures.map((measure) => [measure, new CanaryTest(level / measures.length, minimumViews)]);
  }

  assess(comparisons: Comparisons): ReportsAssessment {
    const assessments = this.#tests.map(
      ([measure, test]) => [measure, test.assess(comparisons[measure])] as const,
    );
    const [because] = assessments.find(([, assessment]) => assessment === 'worse') ?? [];
    if (because !== undefined) return { assessment: 'worse', because };
    const { canary, stable } = comparisons.hung;
    if (assessments.some(([, assessment]) => assessment === 'waiting')) {
      return { assessment: 'waiting', because: 'failed' };
    }
    const isMismatched = hasRatioMismatch(canary.views, stable.views, this.#percent);
    return { assessment: isMismatched ? 'mismatched' : 'fine', because: 'failed' };
  }
}
