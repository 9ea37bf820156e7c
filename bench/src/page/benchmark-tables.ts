import type { VariantName } from './assembly/site-files.ts';
import type { Measurement, Round, Rounds } from './measure/measure-variants.ts';
import { profiles, type ProfileName } from './measure/visit.ts';

/** A figure of a round. `late` counts beyond the splash's 2 s. */
interface Metric {
  readonly digits?: number;
  /** Takes it from a visit of the round. First visits: `read` only scrolls, `act` clicks as well. The others are second visits. */
  readonly of: (round: Round) => number;
}

const firstVisit = {
  'kB until the splash ends': { digits: 1, of: ({ read }) => read.kilobytesBySplash },
  'kB, scrolled through': { digits: 1, of: ({ read }) => read.kilobytes },
  'requests, scrolled through': { of: ({ read }) => read.requests },
  'FCP, ms': { of: ({ read }) => read.firstPaint },
  'LCP, ms': { of: ({ read }) => read.largestPaint },
  CLS: { digits: 3, of: ({ read }) => read.shift },
  'TBT, ms': { of: ({ act }) => act.blocked },
  'INP of the first press, ms': { of: ({ act }) => act.firstInteraction },
  'header and pricing hydrated, ms': { of: ({ read }) => read.hydrated },
  'late: first screen, ms': { of: ({ read }) => read.firstScreenLate },
  'late: header and pricing, ms': { of: ({ read }) => read.headerAndPricingLate },
  'late: all, ms': { of: ({ act }) => act.allLate },
} as const satisfies Record<string, Metric>;

const sections: Readonly<Record<string, Readonly<Record<string, Metric>>>> = {
  'First visit': firstVisit,
  'Second visit': {
    kB: { digits: 1, of: ({ returning }) => returning.kilobytes },
    requests: { of: ({ returning }) => returning.requests },
  },
  'Second visit, after mf-pricing was deployed': {
    kB: { digits: 1, of: ({ deployed }) => deployed.kilobytes },
    'kB, with compression dictionaries': { digits: 1, of: ({ byDelta }) => byDelta.kilobytes },
    requests: { of: ({ deployed }) => deployed.requests },
  },
};

/** Upper limit of a figure for the page of this project: relative to another variant, or in milliseconds. */
interface Target {
  readonly metric: keyof typeof firstVisit;
  readonly profile: ProfileName;
  readonly versus?: VariantName;
  readonly atMost: number;
}

/** They limit regressions, and include the price of separate releases. */
const targets: readonly Target[] = [
  { metric: 'kB until the splash ends', profile: 'slow', versus: 'plain', atMost: 0.97 },
  { metric: 'kB, scrolled through', profile: 'slow', versus: 'plain', atMost: 0.97 },
  { metric: 'kB, scrolled through', profile: 'slow', versus: 'prerendered', atMost: 1.26 },
  { metric: 'LCP, ms', profile: 'slow', versus: 'plain', atMost: 0.35 },
  { metric: 'TBT, ms', profile: 'slow', versus: 'plain', atMost: 0.6 },
  { metric: 'header and pricing hydrated, ms', profile: 'slow', versus: 'prerendered', atMost: 1.05 },
  { metric: 'late: first screen, ms', profile: 'slow', atMost: 0 },
  { metric: 'late: first screen, ms', profile: 'fast', atMost: 0 },
  { metric: 'late: header and pricing, ms', profile: 'slow', atMost: 500 },
  { metric: 'late: header and pricing, ms', profile: 'fast', atMost: 0 },
  { metric: 'late: all, ms', profile: 'fast', atMost: 0 },
];

/** Formats medians as one table per profile, followed by the targets. */
export function benchmarkTables({ about, profiles: measured }: Measurement): string {
  const tables = Object.entries(measured).map(([name, rounds]) => profileTable(name as ProfileName, rounds));
  return [about, ...tables].join('\n\n');
}

function profileTable(profile: ProfileName, rounds: Rounds): string {
  const row = (label: string, cells: readonly string[]) =>
    label.padEnd(36) + cells.map((cell) => cell.padStart(13)).join('');
  const variants = Object.keys(rounds) as VariantName[];
  const rows = Object.entries(sections).flatMap(([title, metrics]) => [
    title,
    ...Object.entries(metrics).map(([label, metric]) =>
      row(
        `  ${label}`,
        variants.map((variant) => medianOf(rounds, variant, metric)?.toFixed(metric.digits ?? 0) ?? ''),
      ),
    ),
  ]);
  const results = targets.flatMap((target) => (target.profile === profile ? result(rounds, target) : []));
  return [profiles[profile].title, row('', variants), ...rows, ...results].join('\n');
}

/** Compares the page of this project with a target, if the required variants were measured. */
function result(rounds: Rounds, { metric, versus, atMost }: Target): readonly string[] {
  const ours = medianOf(rounds, 'ours', firstVisit[metric]);
  const other = versus ? medianOf(rounds, versus, firstVisit[metric]) : 1;
  if (ours === undefined || other === undefined) return [];
  const measured = ours / other;
  const label = `target: ${metric}${versus ? `: ours / ${versus}` : ''}`;
  // Ratios of two variants have decimals, times have none.
  const [is, limit] = [measured, atMost].map((figure) => figure.toFixed(versus ? 2 : 0));
  return [`${label.padEnd(56)}${is} ≤ ${limit}${measured <= atMost ? '' : ': missed'}`];
}

function medianOf(rounds: Rounds, variant: VariantName, { of }: Metric): number | undefined {
  const sorted = rounds[variant]?.map(of).toSorted((one, other) => one - other);
  if (!sorted) return undefined;
  const middle = sorted.length / 2;
  const lower = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  return (lower + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}
