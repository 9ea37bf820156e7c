/** Critical value of the chi-square distribution for p = 0.001 and one degree of freedom. */
const criticalChiSquare = 10.828;
/** Minimum of expected views per group for a valid chi-square approximation (Cochran's rule). */
const minimumExpected = 5;

/**
 * Tests for a sample ratio mismatch: the share of canary views differs significantly from the canary's percentage
 * (Pearson's chi-square goodness-of-fit test, p < 0.001). The browser draws the group before it runs code of the part, so
 * a sound canary always gets its share. After a mismatch the groups are not comparable, because views are missing or
 * forged, or because visitors of one group return less often or reload more.
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
  return chiSquare > criticalChiSquare;
}
