import { html, trusted, type Markup } from './html.ts';

/** A line of a chart. `undefined`: no value at that time. */
interface ChartLine {
  readonly label: string;
  /** Class that sets the colour. */
  readonly kind: string;
  readonly values: readonly (number | undefined)[];
  /** Lower and upper bound of each value. */
  readonly band?: readonly (readonly [low: number, high: number] | undefined)[];
}

interface Chart {
  readonly title: string;
  readonly lines: readonly ChartLine[];
  /** Smallest value of the upper end of the scale. */
  readonly least: number;
  readonly format: (value: number) => string;
  /** What the chart shows, for screen readers. */
  readonly description: string;
}

const width = 288;
const height = 72;

/** A small chart over the last day, as inline SVG. */
export function lineChart({ title, lines, least, format, description }: Chart): Markup {
  const values = lines.flatMap((line) => line.values).filter((value) => value !== undefined);
  const bounds = lines.flatMap(({ band = [] }) => band.flatMap((range) => range?.[1] ?? []));
  // Not the largest bound, because a few views have a wide interval.
  const usualBound = bounds.sort((a, b) => a - b)[Math.floor(bounds.length * 0.75)] ?? 0;
  const top = roundUp(Math.max(least, usualBound, ...values.map((value) => value * 1.05)));
  const isEmpty = values.length === 0;
  return html`<figure class="chart">
    <figcaption>${title}<span aria-hidden="true">${isEmpty ? '' : format(top)}</span></figcaption>
    <div class="plot">
      <svg
        viewBox="0 0 ${width} ${height}"
        preserveAspectRatio="none"
        role="img"
        aria-label="${isEmpty ? `${title}: no reports` : description}"
      >
        ${[0, 0.5, 1].map((share) => html`<path class="grid" d="M0 ${round(share * height)}H${width}" />`)}
        ${lines.map((line) => drawing(line, top))}
      </svg>
      ${isEmpty && html`<p class="no-data">No reports</p>`}
    </div>
    <p class="axis" aria-hidden="true"><span>24 h ago</span><span>12 h</span><span>now</span></p>
  </figure>`;
}

function drawing({ kind, values, band }: ChartLine, top: number): Markup {
  const x = (index: number) => round((index / Math.max(1, values.length - 1)) * width);
  const y = (value: number) => round(height - (Math.min(value, top) / top) * height);
  const ranges = runs(values);
  const line = ranges.map(
    (range) =>
      // A point of its own has no length, but round ends.
      `M${range.map(({ index, value }) => `${x(index)} ${y(value)}`).join('L')}${range.length === 1 ? 'h.01' : ''}`,
  );
  const area = runs(band ?? []).map((range) => {
    const edge = (bound: 0 | 1) => range.map(({ index, value }) => `${x(index)} ${y(value[bound])}`);
    return `M${[...edge(1), ...edge(0).reverse()].join('L')}Z`;
  });
  return html`<g class="${kind}">
    ${area.length > 0 && html`<path class="band" d="${trusted(area.join(''))}" />`}
    <path class="line" d="${trusted(line.join(''))}" />
  </g>`;
}

/** Splits a list at its gaps. */
function runs<Value>(values: readonly (Value | undefined)[]): readonly { index: number; value: Value }[][] {
  const found: { index: number; value: Value }[][] = [[]];
  for (const [index, value] of values.entries()) {
    if (value === undefined) found.push([]);
    else found.at(-1)?.push({ index, value });
  }
  return found.filter((range) => range.length > 0);
}

const steps = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];

/** The next round number. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = steps.find((each) => each * power >= value * 0.999) ?? 10;
  return factor * power;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
