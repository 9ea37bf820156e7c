import { partNames } from '@countersign/contracts/remotes';
import { originText, type AuditEntry } from '../store/audit-entry.ts';
import { shownChanges, type BoardState } from './board-state.ts';
import { countText, partLabel, time } from './board-text.ts';
import { html, type Markup } from './html.ts';
import { picturesDetails, type ReleasedPictures } from './released-pictures.ts';

/** Name of each action, and the class of its colour. */
const actions = {
  promote: ['Promoted', 'live'],
  canary: ['Canary', 'canary'],
  rollback: ['Rolled back', 'withdrawn'],
  withdraw: ['Withdrawn', 'withdrawn'],
  reinstate: ['Reinstated', 'previous'],
  compose: ['Composed again', 'previous'],
  restore: ['Older state accepted', 'withdrawn'],
} as const satisfies Record<AuditEntry['action'], readonly [string, string]>;

/** The last changes: who, when and why. */
export function historySection({ history, changes, pictures }: BoardState): Markup {
  const shown = history.slice(0, shownChanges);
  const lead =
    changes > shown.length
      ? `The last ${shown.length} of ${countText(changes)} changes, newest first.`
      : 'All changes of the page, newest first.';
  return html`<section id="history" aria-labelledby="history-title">
    <h2 id="history-title">History</h2>
    <p class="lead">${lead}</p>
    <ol class="history">
      ${shown.map((entry) => entryItem(entry, pictures.get(entry.sequence)))}
    </ol>
  </section>`;
}

function entryItem(entry: AuditEntry, pictures: ReleasedPictures | undefined): Markup {
  const { at, who, origin, why, forced = [], withdrawn = [], reinstated, releaseId } = entry;
  return html`<li>
    <p class="change">${changeSummary(entry)}</p>
    ${why !== undefined && html`<p class="why">${why}</p>`}
    ${withdrawn.length > 0 && html`<p class="detail">withdrawn: ${withdrawn.join(', ')}</p>`}
    ${reinstated !== undefined && html`<p class="detail">reinstated: ${reinstated}</p>`}
    ${forced.map((message) => html`<p class="detail forced">forced in spite of: ${message}</p>`)}
    ${pictures && picturesDetails(pictures)}
    <p class="detail"><strong>${who}</strong>${fromText(origin)} · ${time(at)} · <code>${releaseId}</code></p>
  </li>`;
}

/** ` from acme/pricing@0123456789`; empty without an origin. */
function fromText(origin: AuditEntry['origin']): string {
  const from = originText(origin);
  return from === undefined ? '' : ` from ${from}`;
}

/** What a change did with which versions. */
export function changeSummary({ action, part: changed, from, to }: AuditEntry): Markup {
  const [name, kind] = actions[action];
  const part = partNames.find((known) => known === changed);
  return html`<span class="pill ${kind}">${name}</span>
    ${part ? partLabel(part) : changed}
    <span class="step">
      ${from !== undefined && from !== to && html`<code>${from}</code> <span aria-hidden="true">→</span><span class="hidden"> to </span>`}
      ${to !== undefined && html`<code>${to}</code>`}
    </span>`;
}
