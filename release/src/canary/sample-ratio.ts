/** Chi-square value that one of a thousand sound samples exceeds (one degree of freedom). */
const oneInAThousand = 10.828;
/** Below this many expected views in a group, the chi-square distribution is no good approximation (Cochran's rule). */
const minimumExpected = 5;

/**
 * Tests for a sample ratio mismatch: whether the share of canary views differs from the canary's percentage by more than
 * chance explains (Pearson's chi-square test of goodness of fit, p < 0.001). The browser draws the group before any code
 * of the part runs, so a sound canary has its share whatever it does. If it has not, views are missing or made up, or
 * visitors come back less often or reload more, and a comparison of the two groups proves nothing.
 *
 * @param percent from 0 to 100
 */
export function hasRatioMismatch(canaryViews: number, stableViews: number, percent: number): boolean {
  const views = canaryViews + stableViews;
  const expectedCanary = (views * percent) / 100;
  const expectedStable = views - expectedCanary;
  if (Math.min(expectedCanary, expectedStable) < minimumExpected) return false;
  const chiSquare =
    (canaryViews - expectedCanary) ** 2 / expectedCanary +
    (stableViews - expectedStable) ** 2 / expectedStable;
  return chiSquare > oneInAThousand;
}
