import { median } from '../page/report/median.ts';
import type { Use, Uses } from './measure-interaction.ts';

/** Medians in milliseconds. */
interface UseFigures {
  readonly duration: number;
  readonly delay: number;
  readonly processing: number;
  readonly presentation: number;
  readonly shownAfter: number | undefined;
}

interface InteractionFigures {
  readonly name: string;
  readonly first: UseFigures;
  readonly repeated: UseFigures;
}

export interface Measured {
  /** `now`, or the commit. */
  readonly site: string;
  readonly interactions: readonly InteractionFigures[];
}

interface Figures {
  readonly runs: number;
  readonly load: { readonly before: number; readonly after: number };
  readonly sites: readonly Measured[];
}

/** Interaction to Next Paint up to which an interaction counts as fast, in milliseconds. */
const target = 200;

export function summarise(name: string, all: readonly Uses[]): InteractionFigures {
  return {
    name,
    first: figuresOf(all.map(({ first }) => first)),
    repeated: figuresOf(all.flatMap(({ repeated }) => repeated)),
  };
}

function figuresOf(uses: readonly Use[]): UseFigures {
  const of = (value: (use: Use) => number) => Math.round(median(uses.map(value)));
  const shown = uses.flatMap(({ shownAfter }) => (shownAfter === undefined ? [] : [shownAfter]));
  return {
    duration: of(({ timing }) => timing.duration),
    delay: of(({ timing }) => timing.delay),
    processing: of(({ timing }) => timing.processing),
    presentation: of(({ timing }) => timing.presentation),
    shownAfter: shown.length > 0 ? Math.round(median(shown)) : undefined,
  };
}

const nameWidth = 30;
const columnWidth = 12;

export function interactionReport({ runs, load, sites }: Figures): string {
  const [now, earlier] = sites;
  if (!now) return '';
  const cells = (values: readonly string[]) => values.map((value) => value.padStart(columnWidth)).join('');
  const columns = ['first', 'repeated', 'shown first', 'repeated'];
  const values = ({ first, repeated }: InteractionFigures) =>
    [first.duration, repeated.duration, first.shownAfter, repeated.shownAfter] as const;
  const rows = now.interactions.map((figures, index) => {
    const compared = earlier?.interactions[index];
    const older = compared ? values(compared) : [];
    return (
      figures.name.padEnd(nameWidth) +
      cells(
        values(figures).map((value, column) => {
          const from = older[column];
          if (value === undefined) return '';
          return from === undefined ? `${value}` : `${from} → ${value}`;
        }),
      )
    );
  });
  const slowest = Math.max(
    ...now.interactions.map(({ first, repeated }) => Math.max(first.duration, repeated.duration)),
  );
  return [
    `Response to input in ms, phone, CPU 4 × slower; medians of ${runs}, load of the machine ${load.before.toFixed(1)} before, ${load.after.toFixed(1)} after${earlier ? `; ${earlier.site} → now` : ''}`,
    ' '.repeat(nameWidth) + cells(columns),
    ...rows,
    ...(earlier ? [ratioLine(now, earlier)] : []),
    `slowest ${slowest} ms, target < ${target} ms${slowest < target ? '' : ': missed'}`,
  ].join('\n');
}

/** Geometric means of the ratios, so that each interaction has the same weight. */
function ratioLine(now: Measured, earlier: Measured): string {
  const ratio = (of: (figures: InteractionFigures) => number) => {
    const logs = now.interactions.map((figures, index) => {
      const compared = earlier.interactions[index];
      return compared ? Math.log(of(figures) / of(compared)) : 0;
    });
    return Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length).toFixed(2);
  };
  return `takes ${ratio(({ first }) => first.duration)} × as long as ${earlier.site} on first use, ${ratio(({ repeated }) => repeated.duration)} × repeated (geometric means)`;
}
