/** Number of views of a version, and in how many of them it failed. */
export interface ViewCount {
  readonly views: number;
  readonly failures: number;
}

/** A count from visitors' reports, which anyone can forge. */
export interface ReportedCount extends ViewCount {
  /** Number of distinct networks that reported these failures. */
  readonly networks: number;
}

/** The same measure of a canary and of the stable version. */
export interface Comparison {
  readonly canary: ReportedCount;
  readonly stable: ReportedCount;
}

/**
 * `waiting`: too few views, or more failures than the stable version, but too few of them or from too few networks.
 * `worse`: significantly more failures than the stable version. `fine`: not worse.
 */
export type Assessment = 'waiting' | 'worse' | 'fine';

/** Failures of both versions that a rollback needs. */
const minimumFailures = 5;

/**
 * Tests repeatedly whether the failure rate of a canary is higher than that of the stable version. Each test uses half of
 * the remaining significance level and needs twice as many views as the test before, so that the probability of a false
 * rollback stays below the level however long the watch runs.
 *
 * Forged reports of one network can neither roll a canary back nor promote it. For `worse`, the canary's failures count at
 * most once per network. For `fine`, those of the stable version do. If neither holds, the canary waits.
 */
export class CanaryTest {
  #level: number;
  #nextViews: number;
  #assessment: Assessment = 'waiting';

  /**
   * @param level probability that a sound canary is called worse
   * @param minimumViews views of the canary at the first test
   */
  constructor(level: number, minimumViews: number) {
    this.#level = level;
    this.#nextViews = minimumViews;
  }

  /** Until the canary has enough views for the next test, the result of the last one holds. */
  assess({ canary, stable }: Comparison): Assessment {
    if (canary.views < this.#nextViews) return this.#assessment;
    // Also for the tests before a restart of the watch, which had fewer views.
    for (; this.#nextViews <= canary.views; this.#nextViews *= 2) this.#level /= 2;
    const failsMore = (one: ViewCount, other: ViewCount) => probabilityOfMore(one, other) < this.#level;
    const canaryByNetwork = oncePerNetwork(canary);
    const isWorse =
      canaryByNetwork.failures + stable.failures >= minimumFailures && failsMore(canaryByNetwork, stable);
    const isFine = !failsMore(canary, oncePerNetwork(stable));
    this.#assessment = isWorse ? 'worse' : isFine ? 'fine' : 'waiting';
    return this.#assessment;
  }
}

function oncePerNetwork({ views, failures, networks }: ReportedCount): ViewCount {
  return { views, failures: Math.min(failures, networks) };
}

/**
 * Fisher's exact test, one-sided: the probability that so many or more of all failures fall on the canary by chance, if
 * both versions fail equally often. Exact for rare failures, too. Without stable views, the stable version counts as one with as
 * many views as the canary. 1 if the canary fails no more often.
 */
export function probabilityOfMore(canary: ViewCount, stable: ViewCount): number {
  const stableViews = Math.max(stable.views === 0 ? canary.views : stable.views, stable.failures);
  const canaryViews = Math.max(canary.views, canary.failures);
  // Far below the mean, the first probability of the sum would underflow to 0.
  if (canary.failures * stableViews <= stable.failures * canaryViews) return 1;
  const views = canaryViews + stableViews;
  const failures = canary.failures + stable.failures;
  // The hypergeometric probability of exactly these failures, as a logarithm, because its factors are too large for a number.
  let logarithm = 0;
  for (let index = 0; index < failures; index += 1) logarithm -= Math.log(views - index);
  for (let index = 0; index < stable.failures; index += 1) logarithm += Math.log(stableViews - index);
  for (let index = 0; index < canary.failures; index += 1) {
    logarithm += Math.log(((canaryViews - index) * (failures - index)) / (index + 1));
  }
  let probability = Math.exp(logarithm);
  let sum = 0;
  // The probability of each larger number of failures follows from the one before.
  for (let found = canary.failures; probability > 0; found += 1) {
    sum += probability;
    const remaining = (failures - found) * (canaryViews - found);
    probability *= remaining / ((found + 1) * (stableViews - failures + found + 1));
  }
  return Math.min(1, sum);
}
