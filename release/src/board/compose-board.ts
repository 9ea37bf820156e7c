import type { BoardState } from './board-state.ts';
import { boardPage } from './board-page.ts';
import { blocksSection } from './blocks-section.ts';
import { partLabel, percentText, rangeText, time } from './board-text.ts';
import { historySection } from './history-section.ts';
import { html, type Markup } from './html.ts';
import type { Figure } from './measurements.ts';
import { measurementsSection } from './measurements-section.ts';
import { partsSection } from './parts-section.ts';

export function composeBoard(state: BoardState): string {
  return boardPage({
    navigation: html`<nav aria-label="Sections">
      <a href="#page">Page</a>
      <a href="#versions">Versions</a>
      <a href="#measurements">Visitors</a>
      <a href="#history">History</a>
    </nav>`,
    main: html`${summary(state)}
      <div class="columns">${blocksSection(state)}${partsSection(state)}</div>
      ${measurementsSection(state)} ${historySection(state)}`,
    footer: html`Written ${time(state.writtenAt)} by the release tool. Not for visitors: keep this page inside
    the company.`,
  });
}

/** Release, live parts, canaries and the two most important figures. */
function summary(state: BoardState): Markup {
  const { parts, releaseId, history, measurements } = state;
  const { days, failed, parts: measured } = measurements ?? {};
  const [last] = history;
  const canaries = parts.flatMap(({ part, versions }) =>
    versions.flatMap(({ role, percent = 0 }) => (role === 'canary' ? [{ part, percent }] : [])),
  );
  const live = parts.filter(({ versions }) => versions.some(({ role }) => role === 'live')).length;
  const shareTile = (title: string, share: Figure | undefined) =>
    html`<div>
      <dt>${title}${days && `, ${days.length} days`}</dt>
      <dd>
        <b>${share ? percentText(share.value) : '–'}</b>
        ${share ? `95 % interval ${rangeText(share.low, share.high, percentText)}` : 'no reports'}
      </dd>
    </div>`;
  return html`<section class="summary" aria-labelledby="title">
    <h1 id="title">What is live</h1>
    <p class="lead">
      Release
      <code>${releaseId}</code>${last && html`, since ${time(last.at)}, by <strong>${last.who}</strong>`}
    </p>
    <dl class="tiles">
      <div>
        <dt>Parts live</dt>
        <dd><b>${live}</b> of ${parts.length}</dd>
      </div>
      <div>
        <dt>Canaries</dt>
        <dd>
          <b>${canaries.length}</b>
          ${canaries.map(({ part, percent }) => html`<span class="tile-part">${partLabel(part)} ${percent} %</span>`)}
          ${canaries.length === 0 && 'none is running'}
        </dd>
      </div>
      ${shareTile('Leads per page view', measured?.page?.figures['leads'])}
      ${shareTile('Failed views of remotes', failed)}
    </dl>
  </section>`;
}
