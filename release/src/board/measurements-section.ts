import { pageName } from '@countersign/contracts/page-reports';
import type { AuditEntry } from '../store/audit-entry.ts';
import type { BoardState, BoardVersion } from './board-state.ts';
import {
  countText,
  dayText,
  partClass,
  percentText,
  rangeText,
  roleName,
  secondsText,
  time,
} from './board-text.ts';
import { dayChart, type DayMark } from './day-chart.ts';
import { changeSummary } from './history-section.ts';
import { html, type Markup } from './html.ts';
import {
  measuredParts,
  type Figure,
  type Measured,
  type PartMeasurements,
  type VersionMeasurements,
} from './measurements.ts';

/** Maximum number of versions of a part in its table and charts. */
const maxVersions = 12;
/** Maximum length of a list of changes that is open at first. */
const maxOpenChanges = 12;

/** What visitors did and what their browsers reported in the last days, with the changes of the page as marks. */
export function measurementsSection(state: BoardState): Markup {
  const { measurements } = state;
  return html`<section id="measurements" aria-labelledby="measurements-title">
    <h2 id="measurements-title">What visitors do</h2>
    ${
      measurements
        ? html`<p class="lead">
              The last ${measurements.days.length} days (UTC), until ${time(measurements.readAt)}. Bars are 95
              % Wilson score intervals, of shares and of the 75th percentile (p75: three of four views are at
              least as good). The green line is the upper bound of good values (web.dev/vitals). Vertical
              lines are ${markedChanges(state, measurements.days)} of the page, with their numbers below the
              charts.
            </p>
            <div class="measured">${measuredParts.map((part) => partCard(state, part))}</div>`
        : html`<div class="card empty-state">
            <h3>No figures</h3>
            <p>
              Leads, failures, load times and web vitals appear here when this page is written with
              <code>REPORTS_URL</code> and <code>REPORTS_TOKEN</code>, and the lead service answers there.
            </p>
          </div>`
    }
  </section>`;
}

/** `changes`, or `the latest 200 changes` if the days have more changes than were read. */
function markedChanges({ history, changes }: BoardState, [firstDay = '']: readonly string[]): string {
  const isCut = history.length < changes && (history.at(-1)?.at ?? '') >= firstDay;
  return isCut ? `the latest ${countText(history.length)} changes` : 'changes';
}

type MeasuredPart = (typeof measuredParts)[number];

function partCard(state: BoardState, part: MeasuredPart): Markup {
  const measurements = state.measurements?.parts[part];
  const isPage = part === pageName;
  return html`<article class="card ${partClass(isPage ? 'shell' : part)}">
    <h3><i class="swatch" aria-hidden="true"></i>${isPage ? 'The whole page, and its shell' : part}</h3>
    ${measurements ? partFigures(state, part, measurements) : html`<p class="empty">No reports in these days.</p>`}
  </article>`;
}

function partFigures(state: BoardState, part: MeasuredPart, measured: PartMeasurements): Markup {
  const { days = [] } = state.measurements ?? {};
  const changes = changesOf(part, state.history, days);
  const marks = days.flatMap((day) => markOf(day, changes));
  const versions = versionRows(part, state, measured);
  const omitted = measured.versions.length - versions.length;
  const charts = ['leads', 'failures', ...measured.percentiles].map((name) => {
    const { format, ...shown } = shownMeasure(name, measured);
    // Failures by version; of other measures one line for all versions.
    const lines = name === 'failures' ? versions : [{ ...measured, version: '', kind: 'all' }];
    const texts = lines.map(({ version, figures }) =>
      `${version} ${valueText(figures[name], format)}`.trim(),
    );
    return dayChart({
      ...{ ...shown, format, days, marks },
      total: valueText(measured.figures[name], format),
      description: `${shown.title} of ${part} over ${days.length} days: ${texts.join('; ')}`,
      lines: lines.map(({ kind, points }) => ({ kind, points: points.map(({ figures }) => figures[name]) })),
    });
  });
  const byDay = days.map((day, index): Row => {
    const changed = marks.find((mark) => mark.day === day);
    const head = html`${dayText(day)} ${changed && html`<span>changes ${changed.label}</span>`}`;
    return { ...(measured.points[index] ?? measured), head };
  });
  return html`<div class="charts">${charts}</div>
    ${
      changes.length > 0 &&
      html`<details ${changes.length <= maxOpenChanges && 'open'}>
        <summary>${countText(changes.length)} ${changes.length === 1 ? 'change' : 'changes'}</summary>
        <ol class="changes" aria-label="Changes of ${part}">
          ${changes.map((entry) => html`<li>${changeSummary({ ...entry, from: undefined })} <span class="detail">${time(entry.at)}</span></li>`)}
        </ol>
      </details>`
    }
    ${figuresTable(`Figures of ${part} by version`, measured, versions)}
    ${omitted > 0 && html`<p class="detail">and ${countText(omitted)} earlier versions</p>`}
    <details>
      <summary>Figures by day</summary>
      ${figuresTable(`Figures of ${part} by day`, measured, byDay.toReversed())}
    </details>`;
}

/** The changes of a part on some days, oldest first; of the page all changes. */
function changesOf(part: MeasuredPart, history: readonly AuditEntry[], days: readonly string[]) {
  const concerns = ({ part: changed, to = '' }: AuditEntry) =>
    changed === undefined
      ? // A change of several parts: `shell 1.1.0, mf-pricing 1.0.0`.
        to.split(', ').some((version) => version.startsWith(`${part} `))
      : changed === part;
  return history
    .filter((entry) => days.includes(entry.at.slice(0, 10)) && (part === pageName || concerns(entry)))
    .reverse();
}

/** The mark of a day: `3`, or `3–5` for several changes, by their numbers in the list of changes. None without a change. */
function markOf(day: string, changes: readonly AuditEntry[]): readonly DayMark[] {
  const first = changes.findIndex(({ at }) => at.startsWith(day));
  const last = changes.findLastIndex(({ at }) => at.startsWith(day));
  if (first < 0) return [];
  return [{ day, label: first === last ? `${first + 1}` : `${first + 1}–${last + 1}` }];
}

interface ShownVersion extends VersionMeasurements, Row {
  /** Its role, or `earlier`: class of its colour. */
  readonly kind: string;
}

/** At most {@link maxVersions}. Those with a role come first, because a canary may have the fewest views. */
function versionRows(part: MeasuredPart, { parts, releaseId }: BoardState, { versions }: PartMeasurements) {
  const roles: readonly Pick<BoardVersion, 'version' | 'role' | 'percent'>[] =
    part === pageName
      ? [{ version: releaseId, role: 'live' }]
      : (parts.find((each) => each.part === part)?.versions ?? []);
  const shown = versions.map((measured): ShownVersion => {
    const { version } = measured;
    const { role, percent } = roles.find((each) => each.version === version) ?? {};
    const kind = role ?? 'earlier';
    const head = html`<i class="key ${kind}" aria-hidden="true"></i>${version}
      <span>${role ? roleName(role, percent) : kind}</span>`;
    return { ...measured, kind, head };
  });
  const isEarlier = ({ kind }: ShownVersion) => kind === 'earlier';
  return [...shown.filter((each) => !isEarlier(each)), ...shown.filter(isEarlier)].slice(0, maxVersions);
}

/** Title of each measure, and the upper bound of good values (web.dev/vitals): seconds, but CLS has no unit. */
const knownMeasures = new Map<string, readonly [title: string, good?: number]>([
  ['leads', ['Leads per view']],
  ['failures', ['Failed views']],
  ['late', ['Late views']],
  ['mismatches', ['Rerendered views']],
  ['hung', ['Hung views']],
  ['slow', ['Slow interactions']],
  ['violations', ['Networks with policy violations, per view']],
  ['loads', ['Load time']],
  ['LCP', ['Largest contentful paint', 2.5]],
  ['INP', ['Interaction to next paint', 0.2]],
  ['CLS', ['Cumulative layout shift', 0.1]],
  ['FCP', ['First contentful paint', 1.8]],
  ['TTFB', ['Time to first byte', 0.8]],
]);

interface ShownMeasure {
  readonly name: string;
  readonly title: string;
  /** Head of its column, with abbreviated web vitals. */
  readonly head: string;
  /** Smallest value of the upper end of a chart's scale. */
  readonly least: number;
  readonly good: number | undefined;
  readonly format: (value: number) => string;
}

/** How a measure is shown. One that this file does not know has its own name as a title. */
function shownMeasure(name: string, { shares }: PartMeasurements): ShownMeasure {
  const [title, good] = knownMeasures.get(name) ?? [name.replace('failures.', 'Failed: ')];
  if (shares.includes(name)) return { name, title, head: title, good, least: 0.01, format: percentText };
  const head = `${good === undefined ? title : name}, p75`;
  const common = { name, title: `${title}, p75`, head, good };
  return name === 'CLS'
    ? { ...common, least: 0.1, format: (value) => value.toFixed(2) }
    : { ...common, least: 0.2, format: secondsText };
}

function valueText(figure: Figure | undefined, format: ShownMeasure['format']): string {
  return figure ? format(figure.value) : '–';
}

interface Row extends Measured {
  readonly head: Markup;
}

/** A table in a box of its own, which scrolls sideways on narrow screens, also by keyboard. */
function figuresTable(label: string, measured: PartMeasurements, rows: readonly Row[]): Markup {
  const measures = [...measured.shares, ...measured.percentiles].map((name) => shownMeasure(name, measured));
  return html`<div class="scroll" role="group" aria-label="${label}" tabindex="0">
    <table aria-label="${label}">
      <thead>
        <tr>
          <td></td>
          ${['Views', 'Leads', ...measures.map(({ head }) => head)].map((title) => html`<th scope="col">${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ head, views, leads, figures }) =>
            html`<tr>
              <th scope="row">${head}</th>
              ${[views, leads].map((count) => html`<td>${countText(count)}</td>`)}
              ${measures.map(({ name, format }) => {
                const figure = figures[name];
                const range = figure && html`<small>${rangeText(figure.low, figure.high, format)}</small>`;
                return html`<td>${valueText(figure, format)} ${range}</td>`;
              })}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
