import { variantNames, type VariantName } from '../page/assembly/variant.ts';
import { profiles, type ProfileName } from '../page/measure/profiles.ts';
import type { ReadFigures } from '../page/measure/visit-figures.ts';
import { median } from '../platform/percentiles.ts';

/** A page with a number of parts. */
export interface MeasuredPage {
  readonly variant: VariantName;
  readonly parts: number;
  readonly visits: readonly ReadFigures[];
}

/** Duration of commands on a store in milliseconds, including the start of the process. */
export interface StoreTimes {
  readonly parts: number;
  readonly versions: number;
  readonly promote: number;
  readonly verify: number;
}

interface Growth {
  readonly profile: ProfileName;
  readonly runs: number;
  readonly load: number;
  readonly pages: readonly MeasuredPage[];
  readonly times: readonly StoreTimes[];
}

/** Title, number of decimals and value of each table. */
const tableContents: readonly (readonly [string, number, (figures: ReadFigures) => number])[] = [
  ['kB', 1, ({ kilobytesInAll }) => kilobytesInAll],
  ['requests', 0, ({ requestsInAll }) => requestsInAll],
  ['longest chain of requests', 0, ({ chain }) => chain],
  ['first screen shown, ms', 0, ({ firstScreen }) => firstScreen],
  // Growth watches the controls of all parts under this name.
  ['all parts hydrated, ms', 0, ({ headerAndPricingHydrated }) => headerAndPricingHydrated],
];

/** Formats tables by number of parts. */
export function growthReport({ profile, runs, load, pages, times }: Growth): string {
  const counts = [...new Set(pages.map(({ parts }) => parts))];
  const tables = tableContents.flatMap(([label, digits, of]) => [
    label,
    ...variantNames.map((variant) => {
      const cells = counts.map((count) => {
        const page = pages.find((one) => one.variant === variant && one.parts === count);
        return median((page?.visits ?? []).map(of)).toFixed(digits);
      });
      return line(`  ${variant}`, cells);
    }),
  ]);
  return [
    `First visit on ${profiles[profile].title}; medians of ${runs}, load of the machine ${load.toFixed(1)}`,
    line('parts', counts.map(String)),
    ...tables,
    '',
    'Commands in ms, start of the process included',
    ...times.map(
      ({ parts, versions, promote, verify }) =>
        `  ${parts} parts, ${versions} versions stored: promote ${promote.toFixed(0)}, verify ${verify.toFixed(0)}`,
    ),
  ].join('\n');
}

function line(label: string, cells: readonly string[]): string {
  return label.padEnd(28) + cells.map((cell) => cell.padStart(10)).join('');
}
