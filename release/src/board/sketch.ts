import { html, trusted, type Markup } from './html.ts';
import type { Outline } from './outline.ts';

const width = 240;

/** A sketch of a component: bars for text, boxes for cards and controls. Decorative, so screen readers skip it. */
export function sketch(outline: Outline): Markup {
  const { shapes, height } = drawingOf(outline);
  return html`<svg class="sketch" viewBox="0 0 ${width} ${height}" aria-hidden="true">${shapes}</svg>`;
}

interface Drawing {
  readonly shapes: readonly Markup[];
  readonly height: number;
}

function drawingOf({ titles, items, entries, buttons, fields }: Outline): Drawing {
  if (titles + items + entries + buttons + fields === 0) return { height: 20, shapes: [] };
  if (titles === 0) return { height: 20, shapes: navigation(entries) };
  if (titles > 2) return { height: 48, shapes: columns(titles + 1) };
  if (fields > 0 && items < 3) return { height: 72, shapes: form(fields) };
  if (items > 2) return cards(items);
  if (buttons > 0) return { height: 80, shapes: hero() };
  return { height: 36, shapes: [bar(70, 2, 100, 7, 'strong'), ...chips(entries, 20)] };
}

function navigation(entries: number): readonly Markup[] {
  const links = Array.from({ length: Math.min(entries, 4) }, (_, index) => bar(88 + index * 24, 8, 16, 4));
  return [bar(0, 6, 36, 8, 'strong'), ...links, bar(208, 3, 32, 14, 'control')];
}

function columns(count: number): readonly Markup[] {
  const step = width / Math.min(count, 5);
  return Array.from({ length: Math.min(count, 5) }, (_, column) => [
    bar(column * step, 4, step * 0.5, 6, 'strong'),
    ...[16, 26, 36].map((y) => bar(column * step, y, step * 0.7, 4)),
  ]).flat();
}

function form(fields: number): readonly Markup[] {
  const rows = Math.min(fields, 4);
  return [
    ...[bar(0, 8, 96, 9, 'strong'), bar(0, 24, 84, 4), bar(0, 34, 92, 4)],
    bar(0, 50, 44, 14, 'control'),
    ...Array.from({ length: rows }, (_, row) => bar(132, 2 + row * 18, 108, 13, 'card')),
  ];
}

function hero(): readonly Markup[] {
  return [
    ...[bar(0, 4, 112, 11, 'strong'), bar(0, 20, 84, 11, 'strong')],
    ...[bar(0, 40, 104, 4), bar(0, 49, 90, 4)],
    ...[bar(0, 63, 40, 14, 'control'), bar(46, 63, 40, 14, 'card')],
    bar(142, 2, 98, 74, 'card'),
    ...[16, 28, 40].map((y) => bar(154, y, 66, 4)),
    bar(154, 56, 34, 9, 'control'),
  ];
}

/** Up to two rows of cards below a title. */
function cards(items: number): Drawing {
  const shown = Math.min(items, 10);
  const rows = shown > 5 ? 2 : 1;
  const perRow = Math.ceil(shown / rows);
  const step = (width + 6) / perRow;
  const boxes = Array.from({ length: shown }, (_, index) => {
    const x = (index % perRow) * step;
    const y = 18 + Math.floor(index / perRow) * 42;
    const inner = step - 18;
    return [
      bar(x, y, step - 6, 36, 'card'),
      bar(x + 6, y + 8, inner * 0.7, 5, 'strong'),
      ...[18, 26].map((dy) => bar(x + 6, y + dy, inner, 3)),
    ];
  });
  return { height: 18 + rows * 42 - 2, shapes: [bar(70, 2, 100, 8, 'strong'), ...boxes.flat()] };
}

function chips(entries: number, y: number): readonly Markup[] {
  const count = Math.min(Math.max(entries, 1), 5);
  const step = width / count;
  return Array.from({ length: count }, (_, index) => bar(index * step + 4, y, step - 8, 12, 'card'));
}

function bar(x: number, y: number, wide: number, high: number, kind = 'text'): Markup {
  const size = trusted(`x="${round(x)}" y="${round(y)}" width="${round(wide)}" height="${round(high)}"`);
  return html`<rect class="${kind}" ${size} rx="2" />`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
