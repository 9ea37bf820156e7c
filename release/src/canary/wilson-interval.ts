import type { ViewCount } from './assess-canary.ts';

/** Critical value for a confidence level of 95 %, two-sided. */
const zScore = 1.96;

/** A failure rate with its confidence interval: shares from 0 to 1. */
interface RateInterval {
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The failure rate with its 95 % confidence interval (Wilson score interval, which holds for few views and for rates near
 * 0). `undefined` without views.
 */
export function wilsonInterval({ views, failures }: ViewCount): RateInterval | undefined {
  if (views <= 0) return undefined;
  const rate = Math.min(1, failures / views);
  const weight = zScore ** 2 / views;
  const middle = (rate + weight / 2) / (1 + weight);
  const margin = (zScore / (1 + weight)) * Math.sqrt((rate * (1 - rate)) / views + weight / (4 * views));
  return { rate, low: Math.max(0, middle - margin), high: Math.min(1, middle + margin) };
}
