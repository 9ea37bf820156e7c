import { nice, quantile, ticks } from 'd3-array';
import { dayText } from './board-text.ts';
import { html, type Markup } from './html.ts';
import type { Figure } from './measurements.ts';

/** A line of a chart, with the interval of each point. */
interface ChartLine {
  /** Class that sets the colour. */
  readonly kind: string;
  /** One for each day; `undefined` without a value. */
  readonly points: readonly (Figure | undefined)[];
}

/** Changes of the page on one day. */
export interface DayMark {
  readonly day: string;
  readonly label: string;
}

interface DayChart {
  readonly title: string;
  /** The value of all days. */
  readonly total: string;
  /** What the chart shows, for screen readers. */
  readonly description: string;
  readonly days: readonly string[];
  readonly lines: readonly ChartLine[];
  readonly marks: readonly DayMark[];
  /** The scale reaches at least to this value. */
  readonly least: number;
  /** Upper bound of good values. */
  readonly good?: number | undefined;
  readonly format: (value: number) => string;
}

/** Size of the chart and edges of its plot area, in units of the SVG. */
const [width, height] = [320, 140];
const [left, right, top, bottom] = [44, 306, 26, 118] as const;

/** A chart over some days, as inline SVG: lines with intervals, and a vertical line for each day with changes of the page. */
export function dayChart(chart: DayChart): Markup {
  const { title, total, description, days, lines, marks, least, good = Infinity, format } = chart;
  const figures = lines.flatMap(({ points }) => points).filter((figure) => figure !== undefined);
  // The scale shows all values, but cuts off the widest intervals, because days with few views would flatten all lines.
  const usualHigh = quantile(figures, 0.75, ({ high }) => high) ?? 0;
  const [, end] = nice(0, Math.max(least, usualHigh, ...figures.map(({ value }) => value)), 3);
  const x = (index: number) => round(left + ((index + 0.5) / days.length) * (right - left));
  const y = (value: number) => round(bottom - (Math.min(value, end) / end) * (bottom - top));
  const labelledDays = new Set([0, Math.floor(days.length / 2), days.length - 1]);
  const text = (atX: number, atY: number, anchor: string, content: string) =>
    html`<text x="${atX}" y="${atY}" text-anchor="${anchor}">${content}</text>`;
  return html`<figure class="chart">
    <figcaption>${title} <b>${total}</b></figcaption>
    <svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${description}">
      ${ticks(0, end, 3).map(
        (value) =>
          html`<path
              class="grid"
              d="M${left} ${y(value)}H${right}"
            />${text(left - 6, y(value) + 4, 'end', format(value))}`,
      )}
      ${good <= end && html`<path class="good" d="M${left} ${y(good)}H${right}" />`}
      ${marks.map(({ day, label }) => {
        const index = days.indexOf(day);
        // Labels of neighbouring days alternate between two rows, so that they do not overlap.
        const hasNeighbour = marks.some((other) => Math.abs(days.indexOf(other.day) - index) === 1);
        const labelY = top - (hasNeighbour && index % 2 === 1 ? 15 : 4);
        return html`<path
            class="mark"
            d="M${x(index)} ${top}V${bottom}"
          />${text(x(index), labelY, 'middle', label)}`;
      })}
      ${lines.map(({ kind, points }) => {
        /** Path commands of all days with a value. */
        const path = (draw: (figure: Figure, index: number) => string) =>
          points.map((figure, index) => figure && draw(figure, index)).join('');
        return html`<g class="${kind}">
          <path class="interval" d="${path(({ low, high }, index) => `M${x(index)} ${y(low)}V${y(high)}`)}" />
          <path
            class="line"
            d="${path(({ value }, index) => `${points[index - 1] ? 'L' : 'M'}${x(index)} ${y(value)}`)}"
          />
          <path class="points" d="${path(({ value }, index) => `M${x(index)} ${y(value)}h0`)}" />
        </g>`;
      })}
      ${days.map((day, index) => labelledDays.has(index) && text(x(index), height - 6, 'middle', dayText(day)))}
    </svg>
  </figure>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
