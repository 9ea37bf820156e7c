/** Number of views of a version, and how many of them failed. */
export interface ViewCount {
  readonly views: number;
  readonly failures: number;
}

/** The same measure of a canary and of the stable version. */
export interface Comparison {
  readonly canary: ViewCount;
  readonly stable: ViewCount;
}

/** `waiting`: too few views. `worse`: significantly more failures than the stable version. `fine`: not worse. */
export type Assessment = 'waiting' | 'worse' | 'fine';

/** Critical value for a significance level of 1 %: one in a hundred sound canaries is rejected by chance. */
const criticalZScore = 2.326;

/**
 * Tests whether the canary's failure rate is significantly higher than the stable version's (one-sided z-test of two
 * proportions). Waits until the canary has `minimumViews`.
 */
export function assessCanary(canary: ViewCount, stable: ViewCount, minimumViews: number): Assessment {
  if (canary.views < minimumViews) return 'waiting';
  const difference = rate(canary) - rate(stable);
  if (difference <= 0) return 'fine';
  // Without stable views, the canary is compared with a stable version that never fails.
  const stableViews = Math.max(stable.views, canary.views);
  const pooled = Math.min(1, (canary.failures + stable.failures) / (canary.views + stableViews));
  const deviation = Math.sqrt(pooled * (1 - pooled) * (1 / canary.views + 1 / stableViews));
  return deviation === 0 || difference / deviation > criticalZScore ? 'worse' : 'fine';
}

function rate({ views, failures }: ViewCount): number {
  return views === 0 ? 0 : failures / views;
}
