import type { VariantName } from '../assembly/variant.ts';
import type { Rounds } from '../measure/measure-variants.ts';
import type { ProfileName } from '../measure/profiles.ts';
import { medianOf, metrics, type MetricName } from './metrics.ts';

/** Upper limit of a figure for the page of this project. */
interface Target {
  readonly metric: MetricName;
  /** Variant that the limit is relative to. Without it, the limit is in milliseconds. */
  readonly versus?: VariantName;
  readonly atMost: number;
}

const targets: Readonly<Record<ProfileName, readonly Target[]>> = {
  slow: [
    { versus: 'plain', metric: 'kilobytesBySplash', atMost: 0.9 },
    { versus: 'plain', metric: 'kilobytesInAll', atMost: 0.9 },
    { versus: 'plain', metric: 'largestPaint', atMost: 0.35 },
    { versus: 'plain', metric: 'blocked', atMost: 0.6 },
    { versus: 'prerendered', metric: 'kilobytesInAll', atMost: 1.15 },
    { versus: 'prerendered', metric: 'headerAndPricingHydrated', atMost: 1 },
    { metric: 'firstScreenLate', atMost: 0 },
    { metric: 'headerAndPricingLate', atMost: 500 },
  ],
  fast: [
    { metric: 'firstScreenLate', atMost: 0 },
    { metric: 'headerAndPricingLate', atMost: 0 },
    { metric: 'allLate', atMost: 0 },
  ],
  loopback: [],
};

/** A target with the measured value. */
interface TargetResult {
  readonly text: string;
  readonly measured: number;
  readonly atMost: number;
  readonly met: boolean;
}

/** Compares the page of this project with its targets, if the required variants were measured. */
export function targetResults(profile: ProfileName, rounds: Rounds): readonly TargetResult[] {
  return targets[profile].flatMap(({ metric, versus, atMost }) => {
    const ours = medianOf(rounds, 'ours', metric);
    const other = versus ? medianOf(rounds, versus, metric) : 1;
    if (ours === undefined || other === undefined) return [];
    const measured = ours / other;
    const { label } = metrics[metric];
    return [
      { text: versus ? `${label}: ours / ${versus}` : label, measured, atMost, met: measured <= atMost },
    ];
  });
}
