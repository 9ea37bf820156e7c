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

export interface AssessmentOptions {
  /** The canary's share of visitors, from 0 to 100. */
  readonly percent: number;
  /** Views of the canary that `fine` needs at least. */
  readonly minimumViews: number;
  /** Probability that a sound canary is called worse. */
  readonly level: number;
  /** The effects that `fine` needs to have noticed. */
  readonly effects: readonly Effect[];
}

/** How a canary may be worse: it has `rate` times as many events of a measure per visitor as the stable version. */
export interface Effect {
  readonly measure: Exclude<Measure, 'slow'>;
  readonly rate: number;
}

/** How small a loss must be noticeable before a canary is promoted. */
export interface Sensitivity {
  /** The smallest loss of leads to notice, in percent. */
  readonly loss: number;
  /** Measures that `fine` does not wait for. A canary proven worse in one is still rolled back. */
  readonly without: readonly Measure[];
}

/** The effects that `fine` needs to have noticed: a loss of leads, and ten times the failures. */
export function requiredEffects({ loss, without }: Sensitivity): readonly Effect[] {
  const effects: readonly Effect[] = [
    { measure: 'failed', rate: 10 },
    { measure: 'leads', rate: 1 - loss / 100 },
  ];
  return effects.filter(({ measure }) => !without.includes(measure));
}

/**
 * `worse`: by the measure {@link Assessment.because}. `fine`: not worse, seen often enough, and a canary with one of the effects would
 * already have been called worse. `waiting`: neither.
 */
export interface Assessment {
  readonly assessment: 'worse' | 'fine' | 'waiting';
  /** The measure to report: the one in which the canary is worse, or `failed` if it is worse in none. */
  readonly because: Measure;
}

/** The counts of no views. */
export const noCounts: Counts = { views: 0, failed: 0, slow: 0, leads: 0 };

/** Probability that a watch rolls a sound canary back, over all measures, stages and assessments. */
export const falseAlarmRate = 0.01;

/** Rates of events of the canary relative to the stable version: the alternatives that are weighed against equal rates. */
const more = [1.1, 1.25, 1.5, 2, 3, 5, 10, 20, 50, 100];
const fewer = Array.from({ length: 19 }, (_, index) => (index + 1) * 0.05);
/** The smallest {@link Sensitivity.loss}, in percent: that of the alternative next to equal rates. Half of it would never be noticed. */
export const smallestLoss = 5;

/**
 * Assesses a canary by one test for all measures, a mixture sequential probability ratio test (Robbins 1970). Each event (a failed
 * view, a slow one, a lead) is one observation: if both versions have as many per visitor, it comes from the canary's group with
 * the probability `percent`. If that is true, the evidence against it stays below 1 / level for ever with the probability
 * 1 - level (Ville's inequality, 1939). One may therefore assess it after every event, and as often as one likes.
 */
export function assessCanary(comparison: Comparison, options: AssessmentOptions): Assessment {
  const worse = measures.find((measure) => isWorse(comparison, measure, options));
  if (worse) return { assessment: 'worse', because: worse };
  const isSeen =
    comparison.canary.views >= options.minimumViews &&
    options.effects.every((effect) => isNoticeable(comparison, effect, options));
  return { assessment: isSeen ? 'fine' : 'waiting', because: 'failed' };
}

type Precision = Pick<AssessmentOptions, 'percent' | 'level'>;

function isWorse(comparison: Comparison, measure: Measure, { percent, level }: Precision): boolean {
  const alternatives = measure === 'leads' ? fewer : more;
  // Each measure has an equal share of the level.
  return evidence(comparison, measure, percent, alternatives) >= measures.length / level;
}

/**
 * Share of failed views. If the stable version has fewer, the multiple of this share must be noticed, because rarer ones take too many
 * views.
 */
const leastFailureRate = 0.005;
/**
 * Standard deviations by which a bad canary may have fewer failures, or more leads, than in the mean, and must still be noticed. A
 * dead form never has a lead; other losses of leads are noticed 19 times of 20, because more would need twice the views.
 */
const marginInDeviations = { failed: 3.5, leads: 1.65 };

/**
 * Whether a canary with an effect would already have been called worse, even within the margin. Example: a canary for 10 % loses half of
 * the leads. Beside 90 leads of the stable version it has 90 × 0.5 × 10 / 90 = 5 leads in the mean, with a deviation of 2.3, and with
 * the margin 5 + 1.65 × 2.3, so 9. The loss is noticeable if 9 leads are too few.
 */
export function isNoticeable({ canary, stable }: Comparison, { measure, rate }: Effect, options: Precision) {
  /** Visitors who get the canary for each other one. */
  const oddsOfCanary = options.percent / (100 - options.percent);
  /** Events of a bad canary beside those of the stable version. If both are random, the distribution is negative binomial. */
  const countWithMargin = (stableCount: number, { isRandom }: { readonly isRandom: boolean }) => {
    const mean = stableCount * rate * oddsOfCanary;
    const deviation = mean && Math.sqrt(mean + (isRandom ? mean ** 2 / stableCount : 0));
    return measure === 'leads'
      ? Math.ceil(mean + marginInDeviations.leads * deviation)
      : Math.max(0, Math.floor(mean - marginInDeviations.failed * deviation));
  };
  const count = countWithMargin(stable[measure], { isRandom: true });
  const leastStableCount = (canary.views * leastFailureRate) / oddsOfCanary;
  const least = measure === 'failed' ? countWithMargin(leastStableCount, { isRandom: false }) : 0;
  const badCanary = { ...canary, [measure]: Math.max(count, least) };
  return isWorse({ canary: badCanary, stable }, measure, options);
}

/**
 * Views of the canary after which an effect would be noticed, if the stable version goes on as in some views of it. `undefined`
 * if those tell nothing, or if it takes more than a billion.
 */
export function viewsNeeded(stable: Counts, effect: Effect, options: Precision): number | undefined {
  if (stable.views === 0 || (effect.measure === 'leads' && stable.leads === 0)) return undefined;
  const isEnough = (views: number) => {
    const others = (views * (100 - options.percent)) / options.percent;
    const scale = others / stable.views;
    const scaled = { views: others, failed: stable.failed * scale, slow: 0, leads: stable.leads * scale };
    return isNoticeable({ canary: { ...noCounts, views }, stable: scaled }, effect, options);
  };
  let views = 1;
  while (!isEnough(views)) {
    views *= 2;
    if (views > 1e9) return undefined;
  }
  for (let step = views / 4; step >= 1; step /= 2) views += isEnough(views - step) ? -step : 0;
  return Math.ceil(views);
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
