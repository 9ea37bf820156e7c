import type { Comparisons } from './canary-counts.ts';
import { assessCanary, type Assessment } from './assess-canary.ts';
import { hasRatioMismatch } from './sample-ratio.ts';

/**
 * `mismatched`: not worse, but the share of canary views does not fit its percentage (sample ratio mismatch), so the
 * comparison proves nothing. `because`: the measure in which the canary is worse, else the measure to report.
 */
export interface ReportsAssessment {
  readonly assessment: Assessment | 'mismatched';
  readonly because: keyof Comparisons;
}

/**
 * Assesses a canary by each measure separately. It is worse if one measure is worse, and fine if all are fine. Views that
 * close before they load count as hung in both groups, unless they report it. Only a higher share counts against the canary.
 *
 * @param percent the canary's share of visitors, from 0 to 100
 */
export function assessReports(
  { failed, hung, late }: Comparisons,
  percent: number,
  minimumViews: number,
): ReportsAssessment {
  const assess = ({ canary, stable }: Comparisons['failed']) => assessCanary(canary, stable, minimumViews);
  const assessments = { failed: assess(failed), hung: assess(hung), late: assess(late) };
  for (const because of ['failed', 'hung', 'late'] as const) {
    if (assessments[because] === 'worse') return { assessment: 'worse', because };
  }
  const isWaiting = Object.values(assessments).includes('waiting');
  if (!isWaiting && !hasRatioMismatch(hung.canary.views, hung.stable.views, percent)) {
    return { assessment: 'fine', because: 'failed' };
  }
  return { assessment: isWaiting ? 'waiting' : 'mismatched', because: 'failed' };
}
