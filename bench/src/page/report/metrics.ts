import type { VariantName } from '../assembly/variant.ts';
import type { Round, Rounds } from '../measure/measure-variants.ts';

/** A figure of a round with its format in the report. */
interface Metric {
  readonly label: string;
  readonly digits: number;
  of(round: Round): number;
}

const metric = (label: string, of: Metric['of'], digits = 0): Metric => ({ label, of, digits });

export const metrics = {
  kilobytesBySplash: metric('kB until the splash ends', ({ read }) => read.kilobytesBySplash, 1),
  requestsBySplash: metric('requests until the splash ends', ({ read }) => read.requestsBySplash),
  kilobytesByAll: metric('kB until all can be used', ({ act }) => act.kilobytesByAll, 1),
  requestsByAll: metric('requests until all can be used', ({ act }) => act.requestsByAll),
  kilobytesInAll: metric('kB, scrolled through', ({ read }) => read.kilobytesInAll, 1),
  requestsInAll: metric('requests, scrolled through', ({ read }) => read.requestsInAll),
  chain: metric('longest chain of requests', ({ read }) => read.chain),
  firstPaint: metric('FCP, ms', ({ read }) => read.firstPaint),
  largestPaint: metric('LCP, ms', ({ read }) => read.largestPaint),
  shift: metric('CLS', ({ read }) => read.shift, 3),
  blocked: metric('TBT, ms', ({ act }) => act.blocked),
  firstInteraction: metric('INP of the first press, ms', ({ act }) => act.firstInteraction),
  firstScreen: metric('first screen shown, ms', ({ read }) => read.firstScreen),
  headerAndPricingHydrated: metric(
    'header and pricing hydrated, ms',
    ({ read }) => read.headerAndPricingHydrated,
  ),
  headerAndPricing: metric('header and pricing usable, ms', ({ read }) => read.headerAndPricing),
  all: metric('all usable, ms', ({ act }) => act.all),
  firstScreenLate: metric('late: first screen, ms', ({ read }) => read.firstScreenLate),
  headerAndPricingLate: metric('late: header and pricing, ms', ({ read }) => read.headerAndPricingLate),
  allLate: metric('late: all, ms', ({ act }) => act.allLate),
  returningKilobytes: metric('kB', ({ returning }) => returning.kilobytes, 1),
  returningRequests: metric('requests', ({ returning }) => returning.requests),
  returningHeaderAndPricing: metric(
    'header and pricing usable, ms',
    ({ returning }) => returning.headerAndPricing,
  ),
  returningAll: metric('all usable, ms', ({ returning }) => returning.all),
  deployedKilobytes: metric('kB', ({ deployed }) => deployed.kilobytes, 1),
  deployedRequests: metric('requests', ({ deployed }) => deployed.requests),
  deployedHeaderAndPricing: metric(
    'header and pricing usable, ms',
    ({ deployed }) => deployed.headerAndPricing,
  ),
  deployedByDeltaKilobytes: metric(
    'kB, with compression dictionaries',
    ({ deployedByDelta }) => deployedByDelta.kilobytes,
    1,
  ),
  deployedAll: metric('all usable, ms', ({ deployed }) => deployed.all),
} satisfies Record<string, Metric>;

export type MetricName = keyof typeof metrics;

/** Median of a figure over all rounds, or `undefined` if the variant was not measured. */
export function medianOf(rounds: Rounds, variant: VariantName, name: MetricName): number | undefined {
  const measured = rounds[variant];
  return measured && median(measured.map((round) => metrics[name].of(round)));
}

/** Median. For an even number of values, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const lower = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return (lower + upper) / 2;
}
