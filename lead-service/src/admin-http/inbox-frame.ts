import { brand } from '@countersign/contracts/brand';
import type { Context } from 'koa';
import { brandMark } from '../http/brand-mark.ts';
import { html, type Html } from '../http/html.ts';
import { showPage } from '../http/page.ts';
import { inboxStylesPath } from './inbox-styles.ts';
import type { Session } from './session.ts';

const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex',
};

export function showInboxPage(ctx: Context, title: string, session: Session | undefined, main: Html): void {
  ctx.set(headers);
  showPage(ctx, {
    title: `${title} – ${brand} leads`,
    styles: html`<link rel="stylesheet" href="${inboxStylesPath}" />`,
    styleSource: "'self'",
    body: html`<a class="skip" href="#main">Skip to content</a>
      <header class="bar">
        <a class="brand" href="/admin/inbox">${brandMark}${brand} leads</a>
        ${session && logout(session)}
      </header>
      <main id="main">${main}</main>`,
  });
}

function logout({ token, csrfToken }: Session): Html {
  return html`<form class="who" method="post" action="/admin/logout">
    <span>${token.name}</span>
    ${csrfField(csrfToken)}
    <button class="quiet">Log out</button>
  </form>`;
}

export function csrfField(csrfToken: string): Html {
  return html`<input type="hidden" name="csrf" value="${csrfToken}" />`;
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
    <p><a href="/admin/inbox">Back to the leads</a></p>
  </div>`;
}

export function badge(word: string): Html {
  return html`<span class="badge ${word}">${word}</span>`;
}

/** A readable time in UTC. */
export function timeOf(iso: string): Html {
  const short = iso.slice(0, 16).replace('T', ' ');
  return html`<time datetime="${iso}" title="${iso}">${short}</time>`;
}

/** Options of a `<select>`. @param none label of the empty option, if there is one */
export function options(choices: readonly string[], chosen: string | undefined, none?: string): Html {
  const option = (value: string, name: string) =>
    html`<option value="${value}" ${value === (chosen ?? '') && html`selected`}>${name}</option>`;
  return html`${none !== undefined && option('', none)}${choices.map((choice) => option(choice, choice))}`;
}
