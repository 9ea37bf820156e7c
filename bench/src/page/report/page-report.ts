import { variantNames } from '../assembly/variant.ts';
import type { Measurement, Rounds } from '../measure/measure-variants.ts';
import { isProfileName, profiles, type ProfileName } from '../measure/profiles.ts';
import { medianOf, metrics, type MetricName } from './metrics.ts';
import { targetResults } from './targets.ts';

const sections: Readonly<Record<string, readonly MetricName[]>> = {
  'First visit': [
    'kilobytesBySplash',
    'requestsBySplash',
    'kilobytesByAll',
    'requestsByAll',
    'kilobytesInAll',
    'requestsInAll',
    'chain',
    'firstPaint',
    'largestPaint',
    'shift',
    'blocked',
    'firstInteraction',
    'firstScreen',
    'headerAndPricingHydrated',
    'headerAndPricing',
    'all',
    'firstScreenLate',
    'headerAndPricingLate',
    'allLate',
  ],
  'Second visit': ['returningKilobytes', 'returningRequests', 'returningHeaderAndPricing', 'returningAll'],
  'Second visit, after mf-pricing was deployed': [
    'deployedKilobytes',
    'deployedByDeltaKilobytes',
    'deployedRequests',
    'deployedHeaderAndPricing',
    'deployedAll',
  ],
};

const labelWidth = 36;
const columnWidth = 13;

/** Formats medians as one table per profile, followed by the targets. */
export function pageReport({ machine, load, runs, profiles: measured }: Measurement): string {
  const tables = Object.entries(measured).flatMap(([name, rounds]) =>
    isProfileName(name) ? [profileTable(name, rounds)] : [],
  );
  const about = `Medians of ${runs} on ${machine}; load of the machine ${load.before.toFixed(1)} before, ${load.after.toFixed(1)} after.`;
  return [about, ...tables].join('\n\n');
}

function profileTable(profile: ProfileName, rounds: Rounds): string {
  const columns = variantNames.filter((variant) => rounds[variant]);
  const row = (label: string, cells: readonly string[]) =>
    label.padEnd(labelWidth) + cells.map((cell) => cell.padStart(columnWidth)).join('');
  const rows = Object.entries(sections).flatMap(([title, names]) => [
    title,
    ...names.map((name) => {
      const { label, digits } = metrics[name];
      return row(
        `  ${label}`,
        columns.map((variant) => (medianOf(rounds, variant, name) ?? Number.NaN).toFixed(digits)),
      );
    }),
  ]);
  const results = targetResults(profile, rounds).map(({ text, measured, atMost, met }) => {
    // Ratios of two variants have decimals, times have none.
    const digits = text.includes('/') ? 2 : 0;
    return `  ${text.padEnd(52)}${measured.toFixed(digits).padStart(6)}  target ≤ ${atMost.toFixed(digits)}${met ? '' : ': missed'}`;
  });
  return [
    profiles[profile].title,
    row('', columns),
    ...rows,
    ...(results.length > 0 ? ['Targets', ...results] : []),
  ].join('\n');
}
