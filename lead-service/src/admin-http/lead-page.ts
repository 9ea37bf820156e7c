import { leadStatuses, type AuditEntryRow } from '../database/tables.ts';
import { html, type Html } from '../http/html.ts';
import { describeAttribution } from '../lead/describe-attribution.ts';
import type { LeadView } from '../lead-admin/lead-view.ts';
import type { DeliveryView, LeadFile } from '../lead-admin/read-lead.ts';
import { csrfField, badge, options, timeOf } from './inbox-frame.ts';
import type { Session } from './session.ts';

export function leadPage({ lead, deliveries, history }: LeadFile, session: Session): Html {
  const mayChange = session.token.scopes.includes('write') && lead.erasedAt === null;
  return html`<p class="back"><a href="/admin/inbox">All leads</a></p>
    <article class="card lead">
      <header>
        <h1 dir="auto">${lead.name || 'Erased lead'}</h1>
        <p class="badges">
          ${badge(lead.type)} ${badge(lead.status)} ${lead.quarantinedAt !== null && badge('quarantine')}
        </p>
      </header>
      ${quarantine(lead, mayChange, session.csrfToken)}
      ${lead.erasedAt === null ? person(lead) : html`<p>Erased ${timeOf(lead.erasedAt)}.</p>`}
      ${mayChange && statusForm(lead, session.csrfToken)}
      ${mayChange && lead.quarantinedAt === null && spamForm(lead, session.csrfToken)}
      ${lead.erasedAt === null && searchForm(lead, session.csrfToken)}
    </article>
    ${origin(lead)}
    ${
      deliveries.length > 0 &&
      html`<section class="card">
        <h2>Deliveries</h2>
        <ul class="plain">
          ${deliveries.map(delivery)}
        </ul>
      </section>`
    }
    ${
      history.length > 0 &&
      html`<section class="card">
        <h2>History</h2>
        <ul class="plain">
          ${history.filter((entry) => !isRead(entry)).map(historyLine)} ${readsLine(history)}
        </ul>
      </section>`
    }`;
}

function person({ email, company, receivedAt, message, spamReasons, quarantinedAt }: LeadView): Html {
  return html`<dl>
      <dt>E-mail</dt>
      <dd><a href="mailto:${encodeURIComponent(email)}">${email}</a></dd>
      ${
        company !== null &&
        html`<dt>Company</dt>
          <dd dir="auto">${company}</dd>`
      }
      <dt>Received</dt>
      <dd>${timeOf(receivedAt)} UTC</dd>
      ${
        quarantinedAt === null &&
        spamReasons.length > 0 &&
        html`<dt>Signs of spam</dt>
          <dd>${spamReasons.join('; ')}</dd>`
      }
    </dl>
    <p class="message" dir="auto">${message}</p>`;
}

function quarantine(
  { id, quarantinedAt, spamReasons }: LeadView,
  mayChange: boolean,
  csrfToken: string,
): Html | false {
  return (
    quarantinedAt !== null &&
    html`<div class="notice">
      <p>Held back as spam: nothing more is sent because of it.</p>
      <ul>
        ${spamReasons.map((reason) => html`<li>${reason}</li>`)}
      </ul>
      ${
        mayChange &&
        html`<form method="post" action="/admin/inbox/${id}/not-spam">
          ${csrfField(csrfToken)}
          <button>Not spam: send what was held back</button>
        </form>`
      }
    </div>`
  );
}

function statusForm({ id, status }: LeadView, csrfToken: string): Html {
  return html`<form class="status" method="post" action="/admin/inbox/${id}/status">
    ${csrfField(csrfToken)}
    <label for="status">Status</label>
    <select id="status" name="status">
      ${options(leadStatuses, status)}
    </select>
    <button>Save</button>
  </form>`;
}

function spamForm({ id }: LeadView, csrfToken: string): Html {
  return html`<form method="post" action="/admin/inbox/${id}/spam">
    ${csrfField(csrfToken)}
    <button class="quiet">Spam: hold back what is not sent yet</button>
  </form>`;
}

/** Finds the leads of the mailbox, and those that mention the address. */
function searchForm({ email }: LeadView, csrfToken: string): Html {
  return html`<form method="post" action="/admin/inbox/search">
    ${csrfField(csrfToken)}
    <input type="hidden" name="text" value="${email}" />
    <button class="quiet">Find other leads with this address</button>
  </form>`;
}

function origin({ attribution }: LeadView): Html | false {
  const facts = describeAttribution(attribution);
  return (
    facts.length > 0 &&
    html`<section class="card">
      <h2>Where it came from</h2>
      <dl>
        ${facts.map(
          ([label, value]) =>
            html`<dt>${label}</dt>
              <dd>${value}</dd>`,
        )}
      </dl>
    </section>`
  );
}

function delivery({ kind, target, state, attempts, tries }: DeliveryView): Html {
  const last = tries.at(-1);
  return html`<li>
    ${badge(state)} <span>${kind}${target && ` to ${target}`}</span>
    <span class="muted">${String(attempts)} ${attempts === 1 ? 'attempt' : 'attempts'}</span>
    ${state !== 'done' && last !== undefined && html`<span>${last.answer}</span>`}
  </li>`;
}

const actionLabels: Readonly<Record<string, string>> = {
  'lead.export': 'Exported',
  'lead.export-page': 'Exported with others',
  'lead.set-status': 'Status set',
  'lead.spam': 'Marked as spam',
  'lead.not-spam': 'Released from quarantine',
  'lead.erase': 'Erased',
  'lead.retention': 'Erased after its time',
};

function historyLine({ at, actor, action, details }: AuditEntryRow): Html {
  const { to } = JSON.parse(details) as { readonly to?: string };
  return html`<li>
    ${timeOf(at)} <span>${actionLabels[action] ?? action}${to !== undefined && ` to ${to}`}</span>
    <span class="muted">${actor}</span>
  </li>`;
}

function isRead({ action }: AuditEntryRow): boolean {
  return action === 'lead.read' || action === 'lead.list' || action === 'lead.search';
}

function readsLine(history: readonly AuditEntryRow[]): Html | false {
  const all = history.filter(isRead);
  const last = all.at(-1);
  return (
    last !== undefined &&
    html`<li>
      ${timeOf(last.at)}
      <span>Last read, ${all.length === 1 ? 'once' : `${all.length} times`} in total</span>
      <span class="muted">${last.actor}</span>
    </li>`
  );
}
