import type { VariantName } from './assembly/site-files.ts';
import type { Measurement, Round, Rounds } from './measure/measure-variants.ts';
import { profiles, type ProfileName } from './measure/visit.ts';

/** Upper limit of a figure for the page of this project: relative to another variant, or in milliseconds. */
interface Target {
  readonly versus?: VariantName;
  readonly atMost: number;
}

/** A figure of a round. `late` counts beyond the splash's 2 s. Targets limit regressions, and include the price of separate releases. */
interface Metric {
  readonly label: string;
  readonly digits?: number;
  /** Takes it from a visit of the round. First visits: `read` only scrolls, `act` clicks as well. The others are second visits. */
  readonly of: (round: Round) => number;
  readonly targets?: Partial<Record<ProfileName, readonly Target[]>>;
}

const sections: Readonly<Record<string, readonly Metric[]>> = {
  'First visit': [
    {
      label: 'kB until the splash ends',
      digits: 1,
      of: ({ read }) => read.kilobytesBySplash,
      targets: { slow: [{ versus: 'plain', atMost: 0.97 }] },
    },
    {
      label: 'kB, scrolled through',
      digits: 1,
      of: ({ read }) => read.kilobytes,
      targets: {
        slow: [
          { versus: 'plain', atMost: 0.97 },
          { versus: 'prerendered', atMost: 1.26 },
        ],
      },
    },
    { label: 'requests, scrolled through', of: ({ read }) => read.requests },
    { label: 'FCP, ms', of: ({ read }) => read.firstPaint },
    {
      label: 'LCP, ms',
      of: ({ read }) => read.largestPaint,
      targets: { slow: [{ versus: 'plain', atMost: 0.35 }] },
    },
    { label: 'CLS', digits: 3, of: ({ read }) => read.shift },
    {
      label: 'TBT, ms',
      of: ({ act }) => act.blocked,
      targets: { slow: [{ versus: 'plain', atMost: 0.6 }] },
    },
    { label: 'INP of the first press, ms', of: ({ act }) => act.firstInteraction },
    {
      label: 'header and pricing hydrated, ms',
      of: ({ read }) => read.hydrated,
      targets: { slow: [{ versus: 'prerendered', atMost: 1.05 }] },
    },
    {
      label: 'late: first screen, ms',
      of: ({ read }) => read.firstScreenLate,
      targets: { slow: [{ atMost: 0 }], fast: [{ atMost: 0 }] },
    },
    {
      label: 'late: header and pricing, ms',
      of: ({ read }) => read.headerAndPricingLate,
      targets: { slow: [{ atMost: 500 }], fast: [{ atMost: 0 }] },
    },
    { label: 'late: all, ms', of: ({ act }) => act.allLate, targets: { fast: [{ atMost: 0 }] } },
  ],
  'Second visit': [
    { label: 'kB', digits: 1, of: ({ returning }) => returning.kilobytes },
    { label: 'requests', of: ({ returning }) => returning.requests },
  ],
  'Second visit, after mf-pricing was deployed': [
    { label: 'kB', digits: 1, of: ({ deployed }) => deployed.kilobytes },
    { label: 'kB, with compression dictionaries', digits: 1, of: ({ byDelta }) => byDelta.kilobytes },
    { label: 'requests', of: ({ deployed }) => deployed.requests },
  ],
};

/** Formats medians as one table per profile, followed by the targets. */
export function benchmarkTables({ machine, load, runs, profiles: measured }: Measurement): string {
  const about = `Medians of ${runs} rounds at most on ${machine}; load of the machine ${load.before.toFixed(1)} before, ${load.after.toFixed(1)} after.`;
  const tables = Object.entries(measured).map(([name, rounds]) => profileTable(name as ProfileName, rounds));
  return [about, ...tables].join('\n\n');
}

function profileTable(profile: ProfileName, rounds: Rounds): string {
  const row = (label: string, cells: readonly string[]) =>
    label.padEnd(36) + cells.map((cell) => cell.padStart(13)).join('');
  const variants = Object.keys(rounds) as VariantName[];
  const rows = Object.entries(sections).flatMap(([title, metrics]) => [
    title,
    ...metrics.map((metric) =>
      row(
        `  ${metric.label}`,
        variants.map((variant) => medianOf(rounds, variant, metric)?.toFixed(metric.digits ?? 0) ?? ''),
      ),
    ),
  ]);
  const results = Object.values(sections)
    .flat()
    .flatMap((metric) =>
      (metric.targets?.[profile] ?? []).flatMap((target) => result(rounds, metric, target)),
    );
  return [profiles[profile].title, row('', variants), ...rows, ...results].join('\n');
}

/** Compares the page of this project with a target, if the required variants were measured. */
function result(rounds: Rounds, metric: Metric, { versus, atMost }: Target): readonly string[] {
  const ours = medianOf(rounds, 'ours', metric);
  const other = versus ? medianOf(rounds, versus, metric) : 1;
  if (ours === undefined || other === undefined) return [];
  const measured = ours / other;
  const label = `target: ${metric.label}${versus ? `: ours / ${versus}` : ''}`;
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
