import type { PartName } from '@countersign/contracts/remotes';
import type { BoardPart, BoardState } from './board-state.ts';
import { countText, partClass, percentText, rangeText, roleName, secondsText, time } from './board-text.ts';
import { html, type Markup } from './html.ts';
import { lineChart } from './line-chart.ts';
import type { VersionFigures, VersionMeasurements, VitalMeasurements } from './measurements.ts';

/** Versions of a part with lines of their own. */
const shownVersions = 4;

/** The figures that visitors' browsers reported in the last day. */
export function measurementsSection({ measurements, parts }: BoardState): Markup {
  return html`<section id="measurements" aria-labelledby="measurements-title">
    <h2 id="measurements-title">What visitors report</h2>
    ${
      measurements
        ? html`<p class="lead">The last 24 hours, until ${time(measurements.readAt)}.</p>
            <div class="measured">
              ${vitalsCard(measurements.vitals)}
              ${parts.map((part) => partCard(part, measurements.parts[part.part] ?? []))}
            </div>`
        : html`<div class="card empty-state">
            <h3>No figures</h3>
            <p>
              Views, failures, load times and web vitals appear here when this page is written with
              <code>REPORTS_URL</code> and <code>REPORTS_TOKEN</code>, and the lead service answers there.
            </p>
          </div>`
    }
  </section>`;
}

function vitalsCard(vitals: readonly VitalMeasurements[]): Markup {
  const format = (name: string) => (name === 'CLS' ? (value: number) => value.toFixed(2) : secondsText);
  return html`<article class="card">
    <h3>Web vitals of the page</h3>
    <p class="detail">75th percentile: three of four views are at least as good.</p>
    <div class="charts vitals">
      ${vitals.map(({ name, total, points }) => {
        const text = total === undefined ? 'no reports' : format(name)(total);
        return html`<div>
          <p class="figure"><b>${name}</b> <span>${total === undefined ? '–' : text}</span></p>
          ${lineChart({
            title: vitalTitles[name] ?? name,
            lines: [{ label: name, kind: 'live', values: points }],
            least: name === 'CLS' ? 0.1 : 0.2,
            format: format(name),
            description: `${vitalTitles[name] ?? name}: ${text} over 24 hours`,
          })}
        </div>`;
      })}
    </div>
  </article>`;
}

const vitalTitles: Readonly<Record<string, string>> = {
  LCP: 'Largest contentful paint',
  INP: 'Interaction to next paint',
  FCP: 'First contentful paint',
  TTFB: 'Time to first byte',
  CLS: 'Cumulative layout shift',
};

interface Row extends VersionMeasurements {
  readonly kind: string;
  readonly role: string;
}

function partCard({ part, versions }: BoardPart, measured: readonly VersionMeasurements[]): Markup {
  const rows = measured.map((version): Row => {
    const known = versions.find((each) => each.version === version.version);
    const role = known ? roleName(known.role, known.percent) : 'earlier';
    return { ...version, kind: known?.role ?? 'earlier', role };
  });
  // Versions with a role come first, because a canary may have the fewest views.
  const shown = [
    ...rows.filter(({ kind }) => kind !== 'earlier'),
    ...rows.filter(({ kind }) => kind === 'earlier'),
  ];
  return html`<article class="card ${partClass(part)}">
    <h3><i class="swatch" aria-hidden="true"></i>${part}</h3>
    ${shown.length === 0 ? html`<p class="empty">No reports in the last 24 hours.</p>` : partFigures(part, shown.slice(0, shownVersions))}
  </article>`;
}

function partFigures(part: PartName, rows: readonly Row[]): Markup {
  const chart = (
    title: string,
    least: number,
    format: (value: number) => string,
    value: (figures: VersionFigures) => number | undefined,
    band?: (figures: VersionFigures) => readonly [number, number] | undefined,
  ) => {
    const lines = rows.map(({ version, kind, points }) => ({
      label: version,
      kind,
      values: points.map(value),
      ...(band ? { band: points.map(band) } : {}),
    }));
    const totals = rows.map((row) => {
      const found = value(row);
      return `${row.version} ${found === undefined ? 'no reports' : format(found)}`;
    });
    return lineChart({
      title,
      lines,
      least,
      format,
      description: `${title} of ${part} over 24 hours: ${totals.join('; ')}`,
    });
  };
  return html`${figuresTable(part, rows)}
    <div class="charts">
      ${chart('Views per 10 minutes', 10, countText, ({ views }) => views || undefined)}
      ${chart(
        'Failed views, with 95 % interval',
        0.01,
        percentText,
        ({ failed }) => failed?.rate,
        ({ failed }) => failed && [failed.low, failed.high],
      )}
      ${chart('Load time, 75th percentile', 0.2, secondsText, ({ loadTime }) => loadTime)}
      ${chart('Late views', 0.01, percentText, ({ late }) => late)}
    </div>`;
}

/** Its roles are explicit, because the layout for phones, which is none of a table, would remove them. */
function figuresTable(part: PartName, rows: readonly Row[]): Markup {
  const optional = (value: number | undefined, format: (found: number) => string) =>
    value === undefined ? '–' : format(value);
  return html`<table role="table" aria-label="Figures of ${part}">
    <thead role="rowgroup">
      <tr role="row">
        <th role="columnheader" scope="col">Version</th>
        <th role="columnheader" scope="col">Views</th>
        <th role="columnheader" scope="col">Failed</th>
        <th role="columnheader" scope="col">Load p75</th>
        <th role="columnheader" scope="col">Late</th>
        <th role="columnheader" scope="col">Rerendered</th>
        <th role="columnheader" scope="col">Hung</th>
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        ({ version, kind, role, ...total }) =>
          html`<tr role="row">
            <th role="rowheader" scope="row">
              <i class="key ${kind}" aria-hidden="true"></i><code>${version}</code> <span>${role}</span>
            </th>
            <td role="cell">${countText(total.views)}</td>
            <td role="cell">
              ${optional(total.failed?.rate, percentText)}
              ${total.failed && html`<small>${rangeText(total.failed.low, total.failed.high)}</small>`}
            </td>
            <td role="cell">${optional(total.loadTime, secondsText)}</td>
            <td role="cell">${optional(total.late, percentText)}</td>
            <td role="cell">${optional(total.rerendered, percentText)}</td>
            <td role="cell">${optional(total.hung, percentText)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
