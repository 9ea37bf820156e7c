import { leadTypes } from '@countersign/contracts/lead';
import { leadStatuses } from '../database/tables.ts';
import { html, type Html } from '../http/html.ts';
import type { LeadFilter } from '../lead-admin/lead-filter.ts';
import type { LeadView } from '../lead-admin/lead-view.ts';
import type { LeadPage } from '../lead-admin/list-leads.ts';
import { csrfField, badge, options, timeOf } from './inbox-frame.ts';
import type { Session } from './session.ts';

/** @param searched the search text, if this is the result of a search */
export function listPage(
  { leads, next }: LeadPage,
  filter: LeadFilter,
  session: Session,
  searched?: string,
): Html {
  const isSearch = searched !== undefined;
  const mayExport = !isSearch && session.token.scopes.includes('export') && leads.length > 0;
  return html`<div class="head">
      <h1>${isSearch ? 'Found' : filter.quarantine === 'only' ? 'Quarantine' : 'Leads'}</h1>
      <form class="search" role="search" method="post" action="/admin/inbox/search">
        ${csrfField(session.csrfToken)}
        <label class="hidden" for="text">Search in name, e-mail, company and message</label>
        <input id="text" name="text" type="search" placeholder="Search" value="${searched ?? ''}" required />
        <button class="quiet">Search</button>
      </form>
    </div>
    <nav class="tabs" aria-label="Folders">
      ${tab('/admin/inbox', 'Inbox', !isSearch && filter.quarantine === 'without')}
      ${tab('/admin/inbox?quarantine=only', 'Quarantine', !isSearch && filter.quarantine === 'only')}
    </nav>
    ${!isSearch && filterForm(filter)}
    ${leads.length === 0 ? html`<p class="card empty">No leads here${isSearch ? '' : ' that match'}.</p>` : rows(leads)}
    <p class="muted">Times are UTC.</p>
    <div class="foot">
      ${!isSearch && next !== null && html`<a class="button quiet" rel="next" href="/admin/inbox?${queryOf(filter, { after: next })}">Older leads</a>`}
      ${isSearch && next !== null && html`<p>There are more. Search for something longer.</p>`}
      ${mayExport && html`<a class="button quiet" href="/admin/inbox/export?${queryOf(filter)}" download>Export as CSV</a>`}
    </div>`;
}

function tab(address: string, name: string, isCurrent: boolean): Html {
  return html`<a href="${address}" ${isCurrent && html`aria-current="page"`}>${name}</a>`;
}

/** Collapsed unless a filter is set, because it would fill the screen of a phone. */
function filterForm({ type, status, since, until, quarantine }: LeadFilter): Html {
  const inUse = [type, status, since, until].some((value) => value !== undefined);
  return html`<details ${inUse && html`open`}>
    <summary>Filter</summary>
    <form class="filter" method="get" action="/admin/inbox">
      <input type="hidden" name="quarantine" value="${quarantine}" />
      <label>
        Type
        <select name="type">
          ${options(leadTypes, type, 'All')}
        </select>
      </label>
      <label>
        Status
        <select name="status">
          ${options(leadStatuses, status, 'All')}
        </select>
      </label>
      <label>From <input type="date" name="since" value="${since?.slice(0, 10) ?? ''}" /></label>
      <label>Before <input type="date" name="until" value="${until?.slice(0, 10) ?? ''}" /></label>
      <button class="quiet">Show</button>
    </form>
  </details>`;
}

function rows(leads: readonly LeadView[]): Html {
  return html`<ol class="leads">
    ${leads.map(
      ({ id, type, status, receivedAt, name, company, message, quarantinedAt }) =>
        html`<li>
          <a class="card row" href="/admin/inbox/${id}">
            <strong dir="auto">${name}</strong>
            <span class="company" dir="auto">${company ?? ''}</span>
            <span class="badges"
              >${badge(type)} ${badge(status)} ${quarantinedAt !== null && badge('quarantine')}</span
            >
            ${timeOf(receivedAt)}
            <span class="excerpt" dir="auto">${message.slice(0, 200)}</span>
          </a>
        </li>`,
    )}
  </ol>`;
}

function queryOf(
  { type, status, since, until, quarantine }: LeadFilter,
  more: Record<string, string> = {},
): string {
  const chosen = Object.entries({ type, status, since, until, quarantine, ...more });
  return new URLSearchParams(
    chosen.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]])),
  ).toString();
}
