/** Counts of the page views of one version. */
export interface Counts {
  readonly views: number;
  /** Views in which it failed, whatever the cause. */
  readonly failed: number;
  /** Views whose slowest press (INP) was on it, and took over 0.5 s. */
  readonly slow: number;
  /** Leads whose senders saw it. */
  readonly leads: number;
}

/** The counts of a canary, and of the stable version in the group of the other visitors. */
export interface Comparison {
  readonly canary: Counts;
  readonly stable: Counts;
}

/** The yes/no measures of a view: a canary must not fail more, be slow more often, or bring fewer leads. */
export const measures = ['failed', 'slow', 'leads'] as const;
export type Measure = (typeof measures)[number];

interface AssessmentOptions {
  /** The canary's share of visitors, from 0 to 100. */
  readonly percent: number;
  /** Views of the canary that `fine` needs. */
  readonly minimumViews: number;
  /** Probability that a sound canary is called worse. */
  readonly level: number;
}

/** `worse`: by the measure {@link because}. `fine`: not worse, and seen often enough. `waiting`: neither. */
export interface Assessment {
  readonly assessment: 'worse' | 'fine' | 'waiting';
  /** The measure to report: the one in which the canary is worse, or `failed` if it is worse in none. */
  readonly because: Measure;
}

/** Probability that a watch rolls a sound canary back, over all measures, stages and looks. */
export const errorRate = 0.01;

/** Rates of events of the canary relative to the stable version: the alternatives that are weighed against equal rates. */
const more = [1.1, 1.25, 1.5, 2, 3, 5, 10, 20, 50, 100];
const fewer = Array.from({ length: 19 }, (_, index) => (index + 1) * 0.05);

/**
 * Assesses a canary by one test for all measures, a mixture sequential probability ratio test (Robbins 1970). Each event (a failed
 * view, a slow one, a lead) is one observation: if both versions have as many per visitor, it comes from the canary's group with
 * the probability `percent`. If that is true, the evidence against it stays below 1 / level for ever with the probability
 * 1 - level (Ville's inequality, 1939). One may therefore look after every event, and as often as one likes.
 */
export function assessCanary(
  comparison: Comparison,
  { percent, minimumViews, level }: AssessmentOptions,
): Assessment {
  const worse = measures.find((measure) => {
    const alternatives = measure === 'leads' ? fewer : more;
    // Each measure has an equal share of the level.
    return evidence(comparison, measure, percent, alternatives) >= measures.length / level;
  });
  if (worse) return { assessment: 'worse', because: worse };
  const assessment = comparison.canary.views < minimumViews ? 'waiting' : 'fine';
  return { assessment, because: 'failed' };
}

/** Mean likelihood ratio of the alternatives to the hypothesis that both versions have events at the same rate. */
function evidence(
  { canary, stable }: Comparison,
  measure: Measure,
  percent: number,
  alternatives: readonly number[],
): number {
  const nullShare = percent / 100;
  const ratios = alternatives.map((rate) => {
    // Expected share of all events that come from the canary, if it has `rate` times as many per visitor.
    const share = (percent * rate) / (percent * rate + 100 - percent);
    return Math.exp(
      canary[measure] * Math.log(share / nullShare) +
        stable[measure] * Math.log((1 - share) / (1 - nullShare)),
    );
  });
  return ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
}
