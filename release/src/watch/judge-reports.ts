import type { Comparisons } from './canary-counts.ts';
import { judgeCanary, type Verdict } from './judge-canary.ts';
import { hasRatioMismatch } from './sample-ratio.ts';

/**
 * `mismatched`: in no way worse, but had by another share of visitors than its percentage, so that nothing is proved.
 * `because`: the measure in which it is worse; for any other verdict, the one to describe it by.
 */
export interface ReportsVerdict {
  readonly verdict: Verdict | 'mismatched';
  readonly because: keyof Comparisons;
}

/**
 * Judges a canary by each measure on its own: one in which it is worse is enough, and it is fine when it is so in all. Views
 * that are closed before they load count as hung in either group unless they could say so; only a higher share than that of
 * the stable version speaks against the canary.
 *
 * @param percent the canary's, from 0 to 100
 */
export function judgeReports(
  { failed, hung, late }: Comparisons,
  percent: number,
  minimumViews: number,
): ReportsVerdict {
  const judge = ({ canary, stable }: Comparisons['failed']) => judgeCanary(canary, stable, minimumViews);
  const verdicts = { failed: judge(failed), hung: judge(hung), late: judge(late) };
  for (const because of ['failed', 'hung', 'late'] as const) {
    if (verdicts[because] === 'worse') return { verdict: 'worse', because };
  }
  const isWaiting = Object.values(verdicts).includes('waiting');
  if (!isWaiting && !hasRatioMismatch(hung.canary.views, hung.stable.views, percent)) {
    return { verdict: 'fine', because: 'failed' };
  }
  return { verdict: isWaiting ? 'waiting' : 'mismatched', because: 'failed' };
}
