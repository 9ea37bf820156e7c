import { brand } from '@countersign/contracts/brand';
import type { Context } from 'koa';
import { html, type Html } from '../../http/html.ts';
import { brandMark, showPage } from '../../http/page.ts';
import { describeAttribution } from '../../database/describe-attribution.ts';
import type { listDeadLetters } from '../dead-letters.ts';
import type { LeadFilter } from '../lead-filter.ts';
import type { LeadView } from '../../database/tables.ts';
import type { LeadDetails, LeadPage } from '../read-leads.ts';
import type { AdminToken } from '../admin-token.ts';
import { inboxStyles } from './inbox-styles.ts';

const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex',
};

/** @param token of the session, if there is one */
export function showInboxPage(ctx: Context, title: string, token: AdminToken | undefined, main: Html): void {
  ctx.set(headers);
  showPage(ctx, {
    title: `${title} – ${brand} leads`,
    styles: inboxStyles,
    body: html`<a class="skip" href="#main">Skip to content</a>
      <header class="bar">
        <a class="brand" href="/admin/inbox">${brandMark}${brand} leads</a>
        ${
          token &&
          html`<form class="who" method="post" action="/admin/logout">
            <span>${token.name}</span>
            <button class="quiet">Log out</button>
          </form>`
        }
      </header>
      <main id="main">${main}</main>`,
  });
}

export function loginPage(wasWrong: boolean): Html {
  return html`<form class="card login" method="post" action="/admin/login">
    <h1>Log in</h1>
    ${wasWrong && html`<p class="error" id="wrong" role="alert">Unknown token. Check it and try again.</p>`}
    <label for="token">Token</label>
    <input
      id="token"
      name="token"
      type="password"
      autocomplete="current-password"
      autofocus
      required
      ${wasWrong && html`aria-invalid="true" aria-describedby="wrong"`}
    />
    <button>Log in</button>
  </form>`;
}

export function errorPage(message: string): Html {
  return html`<div class="card">
    <h1>That did not work</h1>
    <p class="error" role="alert">${message}</p>
    <p><a class="button quiet" href="/admin/inbox">Back to the leads</a></p>
  </div>`;
}

type Folder = 'inbox' | 'quarantine' | 'dead-letters';

/** Title, search and the folders, of which one may be current. */
function head(title: string, current: Folder | undefined, searched = ''): Html {
  const tab = (folder: Folder, address: string, name: string) =>
    html`<a href="${address}" ${folder === current && html`aria-current="page"`}>${name}</a>`;
  return html`<div class="head">
      <h1>${title}</h1>
      <form class="search" role="search" method="post" action="/admin/inbox/search">
        <label class="visually-hidden" for="text">Search in name, e-mail, company and message</label>
        <input id="text" name="text" type="search" placeholder="Search" value="${searched}" required />
        <button class="quiet">Search</button>
      </form>
    </div>
    <nav class="tabs" aria-label="Folders">
      ${tab('inbox', '/admin/inbox', 'Inbox')}
      ${tab('quarantine', '/admin/inbox?quarantine=only', 'Quarantine')}
      ${tab('dead-letters', '/admin/inbox/dead-letters', 'Dead letters')}
    </nav>`;
}

/** @param searched the search text, if this is the result of a search */
export function listPage(
  { leads, next }: LeadPage,
  { quarantine }: LeadFilter,
  { scopes }: AdminToken,
  searched?: string,
): Html {
  const isSearch = searched !== undefined;
  const folder = quarantine === 'only' ? 'quarantine' : 'inbox';
  const title = isSearch ? 'Found' : folder === 'quarantine' ? 'Quarantine' : 'Leads';
  const mayExport = !isSearch && scopes.includes('export') && leads.length > 0;
  return html`${head(title, isSearch ? undefined : folder, searched)}
    ${leads.length === 0 ? html`<p class="card empty">No leads here.</p>` : rows(leads)}
    <p class="muted">Times are UTC.</p>
    <div class="foot">
      ${!isSearch && next !== undefined && html`<a class="button quiet" rel="next" href="/admin/inbox?quarantine=${quarantine}&after=${next}">Older leads</a>`}
      ${isSearch && next !== undefined && html`<p>There are more. Search for something longer.</p>`}
      ${mayExport && html`<a class="button quiet" href="/admin/inbox/export?quarantine=${quarantine}" download>Export as CSV</a>`}
    </div>`;
}

function rows(leads: readonly LeadView[]): Html {
  return html`<ol class="leads">
    ${leads.map(
      ({ id, type, receivedAt, name, email, company, message, quarantinedAt }) =>
        html`<li>
          <a class="card row" href="/admin/inbox/${id}">
            <strong dir="auto">${name}</strong>
            <span class="company" dir="auto">${company ?? email}</span>
            <span class="badges">${badge(type)} ${quarantinedAt !== null && badge('quarantine')}</span>
            ${timeOf(receivedAt)}
            <span class="excerpt" dir="auto">${message.slice(0, 200)}</span>
          </a>
        </li>`,
    )}
  </ol>`;
}

export function leadPage({ lead, deliveries }: LeadDetails, { scopes }: AdminToken): Html {
  const facts = describeAttribution(lead.attribution);
  return html`<p><a class="target" href="/admin/inbox">All leads</a></p>
    <article class="card lead">
      <header>
        <h1 dir="auto">${lead.name}</h1>
        <p class="badges">${badge(lead.type)} ${lead.quarantinedAt !== null && badge('quarantine')}</p>
      </header>
      ${lead.quarantinedAt !== null && quarantine(lead)}
      <dl>
        ${fact('E-mail', html`<a href="mailto:${encodeURIComponent(lead.email)}">${lead.email}</a>`)}
        ${lead.company !== null && fact('Company', html`<span dir="auto">${lead.company}</span>`)}
        ${fact('Received', html`${timeOf(lead.receivedAt)} UTC`)}
        ${lead.quarantinedAt === null && lead.spamReasons.length > 0 && fact('Signs of spam', html`${lead.spamReasons.join('; ')}`)}
      </dl>
      <p class="message" dir="auto">${lead.message}</p>
      <div class="foot">
        <form method="post" action="/admin/inbox/search">
          <input type="hidden" name="text" value="${lead.email}" />
          <button class="quiet">Other leads of this address</button>
        </form>
        ${scopes.includes('write') && spamForm(lead)}
      </div>
    </article>
    ${
      facts.length > 0 &&
      html`<section class="card">
        <h2>Where it came from</h2>
        <dl>${facts.map(([label, value]) => fact(label, html`${value}`))}</dl>
      </section>`
    }
    <section class="card">
      <h2>Deliveries</h2>
      ${
        deliveries.length === 0
          ? html`<p class="muted">None: the lead was imported.</p>`
          : html`<ul class="plain">
              ${deliveries.map(delivery)}
            </ul>`
      }
    </section>`;
}

function quarantine({ spamReasons }: LeadView): Html {
  return html`<div class="notice">
    <p>Held back as spam: nothing more is sent because of it.</p>
    <ul>
      ${spamReasons.map((reason) => html`<li>${reason}</li>`)}
    </ul>
  </div>`;
}

function spamForm({ id, quarantinedAt }: LeadView): Html {
  return quarantinedAt === null
    ? html`<form method="post" action="/admin/inbox/${id}/spam">
        <button class="quiet">Spam: hold it back</button>
      </form>`
    : html`<form method="post" action="/admin/inbox/${id}/not-spam">
        <button>Not spam: deliver it</button>
      </form>`;
}

function delivery({ kind, target, state, attempts, pastAttempts }: LeadDetails['deliveries'][number]): Html {
  const last = pastAttempts.at(-1);
  return html`<li>
    ${badge(state)} <span>${kind}${target && ` to ${target}`}</span>
    <span class="muted">${String(attempts)} ${attempts === 1 ? 'attempt' : 'attempts'}</span>
    ${state !== 'done' && last !== undefined && html`<p class="muted">${last.answer}</p>`}
  </li>`;
}

/** @param waiting number of deliveries that wait for a retry */
export function deadLettersPage(
  { letters, hasMore }: Awaited<ReturnType<typeof listDeadLetters>>,
  waiting: number,
  { scopes }: AdminToken,
): Html {
  const mayReplay = scopes.includes('write');
  return html`${head('Dead letters', 'dead-letters')}
    <p class="muted">
      Mails and webhooks that failed for two days, or that the receiver refused for good. Times are UTC.
    </p>
    ${letters.length === 0 && html`<p class="card empty">No delivery has failed for good.</p>`}
    <ol class="leads">
      ${letters.map(
        ({ id, leadId, kind, target, attempts, finishedAt, lastStatus, lastAnswer }) =>
          html`<li class="card letter">
            <p>
              <a class="target" href="/admin/inbox/${leadId}">${kind}${target && ` to ${target}`}</a>
              ${timeOf(finishedAt ?? '')}
              <span class="muted">${String(attempts)} attempts</span>
            </p>
            <p>${[lastStatus, lastAnswer].filter((it) => it !== null).join(' ')}</p>
            ${
              mayReplay &&
              html`<form method="post" action="/admin/inbox/dead-letters">
                <input type="hidden" name="id" value="${id}" />
                <button class="quiet">Send again</button>
              </form>`
            }
          </li>`,
      )}
    </ol>
    ${hasMore && html`<p>There are more. These are the ${String(letters.length)} oldest.</p>`}
    <p class="muted">
      ${waiting === 1 ? '1 delivery waits' : `${waiting} deliveries wait`} for the next attempt after a failed
      one.
    </p>
    ${
      mayReplay &&
      letters.length + waiting > 0 &&
      html`<form method="post" action="/admin/inbox/dead-letters">
        <button>Send all ${letters.length > 0 && 'dead letters and '}waiting ones now</button>
      </form>`
    }`;
}

function fact(label: string, value: Html): Html {
  return html`<dt>${label}</dt>
    <dd>${value}</dd>`;
}

function badge(word: string): Html {
  return html`<span class="badge ${word}">${word}</span>`;
}

/** A readable time in UTC. */
function timeOf(iso: string): Html {
  return html`<time datetime="${iso}" title="${iso}">${iso.slice(0, 16).replace('T', ' ')}</time>`;
}
