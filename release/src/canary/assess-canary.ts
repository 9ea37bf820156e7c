/** How often a version was seen, and how often it failed. */
export interface ViewCount {
  readonly views: number;
  readonly failures: number;
}

/** The same measure of a canary and of the stable version. */
export interface Comparison {
  readonly canary: ViewCount;
  readonly stable: ViewCount;
}

/** `waiting`: too few views to say. `worse`: it fails more often than the stable version. `fine`: it does not. */
export type Verdict = 'waiting' | 'worse' | 'fine';

/** With two equal versions, one canary in a hundred is called worse by bad luck. */
const oneInAHundred = 2.326;

/**
 * Compares a canary with the stable version, once the canary has had its minimum of views: is its error rate higher by
 * more than chance explains (one-sided test of two proportions)?
 */
export function judgeCanary(canary: ViewCount, stable: ViewCount, minimumViews: number): Verdict {
  if (canary.views < minimumViews) return 'waiting';
  const difference = rate(canary) - rate(stable);
  if (difference <= 0) return 'fine';
  // Without a stable view to compare with, the canary is measured against one that never fails.
  const stableViews = Math.max(stable.views, canary.views);
  const pooled = Math.min(1, (canary.failures + stable.failures) / (canary.views + stableViews));
  const deviation = Math.sqrt(pooled * (1 - pooled) * (1 / canary.views + 1 / stableViews));
  return deviation === 0 || difference / deviation > oneInAHundred ? 'worse' : 'fine';
}

function rate({ views, failures }: ViewCount): number {
  return views === 0 ? 0 : failures / views;
}
