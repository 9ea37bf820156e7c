import { consentField } from '@countersign/contracts/lead-form';
import { honeypotField, leadPath, type LeadType, leadTypes } from '@countersign/contracts/lead';
import { leadAttribution, type LeadAttribution } from '@countersign/contracts/lead-submission';
import type { Context } from 'koa';
import { html, type Html } from '../http/html.ts';
import type { HttpError } from '../http/errors.ts';
import type { FieldError } from '../platform/refusal.ts';
import { formFields, isForm } from '../http/request-body.ts';
import { isOwnHost } from '../http/origin.ts';
import { showSitePage } from '../http/site-page.ts';

/** Redirect target after a form submission, so that reloading the page does not send the form again. */
export function thanksPath(type: LeadType): string {
  return `${leadPath(type)}/thanks`;
}

/** Success messages for the sender, by lead type. */
export const thanks: Readonly<Record<LeadType, string>> = {
  trial: 'Thank you. We will be in touch shortly to start your free trial.',
  demo: 'Thank you. We will be in touch shortly to arrange your demo.',
  contact: 'Thank you for your message. We will get back to you shortly.',
};

/** Shows the page that thanks for a lead of this type. */
export function showThanks(ctx: Context, type: LeadType): void {
  showSitePage(
    ctx,
    'Thank you',
    html`<h1>Thank you</h1>
      <p>${thanks[type]}</p>`,
  );
}

/** Shows an error page with the filled-in form if the request is a native form submission. Returns whether it is. */
export function showLeadError(ctx: Context, { message, fieldErrors = [] }: HttpError): boolean {
  // `_matchedRoute` is the path of the route, which @koa/router sets.
  const type = leadTypes.find((it) => leadPath(it) === ctx['_matchedRoute']);
  if (type === undefined || !isForm(ctx) || !ctx.accepts().includes('text/html')) return false;
  // A body that is too large, for example, is not read, and cannot fill the form again.
  const wasRead = ctx.request.body !== undefined;
  const alertText =
    fieldErrors.length > 0 ? 'Nothing was sent yet. Please correct what is marked below.' : message;
  showSitePage(
    ctx,
    'Not sent',
    html`<h1>Not sent</h1>
      <p role="alert">${alertText}</p>
      ${wasRead ? leadForm(type, formFields(ctx), fieldErrors) : html`<p>Go back to find what you typed.</p>`}`,
  );
  return true;
}

/** Attribution of a native form submission: a consent, and the page from the Referer header, because no script can add it. */
export function formAttribution(ctx: Context): LeadAttribution {
  const consentText = formFields(ctx)[consentField];
  const consent = consentText ? { consentText, consentedAt: new Date().toISOString() } : {};
  return leadAttribution.parse({ ...consent, ...refererAttribution(ctx) });
}

function refererAttribution(ctx: Context): LeadAttribution {
  const page = URL.parse(ctx.get('Referer'));
  // Not sent from a page of the site, or from an error page of this service, whose address has no campaign parameters.
  if (page === null || !isOwnHost(ctx, page.href) || page.pathname.startsWith('/api/')) return {};
  const campaign = (name: string) => page.searchParams.get(`utm_${name}`) ?? undefined;
  return {
    page: page.pathname + page.search,
    utmSource: campaign('source'),
    utmMedium: campaign('medium'),
    utmCampaign: campaign('campaign'),
    utmTerm: campaign('term'),
    utmContent: campaign('content'),
  };
}

const fields = [
  { name: 'name', label: 'Name', autocomplete: 'name', isRequired: true },
  { name: 'email', label: 'Email', autocomplete: 'email', isRequired: true },
  { name: 'company', label: 'Company', autocomplete: 'organization', isRequired: false },
  { name: 'message', label: 'Message', autocomplete: 'on', isRequired: true },
] as const;

/**
 * The form of the page that answers a refused submission without script: with the submitted values, and an error message
 * beside each invalid field. Its labels are those of the form in the page. The `data-` attributes of the honeypot keep password
 * managers from filling it in.
 */
function leadForm(
  type: LeadType,
  values: Readonly<Record<string, string>>,
  fieldErrors: readonly FieldError[],
): Html {
  const firstInvalid = fields.find(({ name }) => fieldErrors.some(({ field }) => field === name));
  return html`<form method="post" action="${leadPath(type)}" novalidate>
    <p class="legend"><span class="asterisk">*</span> Required</p>
    ${fields.map((field) => fieldRow(field, values[field.name] ?? '', fieldErrors, field === firstInvalid))}
    <div class="visually-hidden" aria-hidden="true">
      <input
        name="${honeypotField}"
        value="${values[honeypotField] ?? ''}"
        tabindex="-1"
        autocomplete="off"
        data-1p-ignore
        data-bwignore
        data-form-type="other"
        data-lpignore="true"
      />
    </div>
    ${values[consentField] && html`<input type="hidden" name="${consentField}" value="${values[consentField]}" />`}
    <button>Send again</button>
  </form>`;
}

function fieldRow(
  { name, label, autocomplete, isRequired }: (typeof fields)[number],
  value: string,
  fieldErrors: readonly FieldError[],
  isFirstInvalid: boolean,
): Html {
  const message = fieldErrors.find(({ field }) => field === name)?.message;
  const attributes = html`id="${name}" name="${name}" autocomplete="${autocomplete}"
  ${name !== 'email' && html`dir="auto"`} ${isRequired && html`aria-required="true"`}
  ${message !== undefined && html`aria-invalid="true" aria-describedby="${name}-error"`}
  ${isFirstInvalid && html`autofocus`}`;
  // Browsers drop the first line break of a textarea.
  const control =
    name === 'message'
      ? html`<textarea ${attributes} rows="8">${'\n'}${value}</textarea>`
      : html`<input ${attributes} type="${name === 'email' ? 'email' : 'text'}" value="${value}" />`;
  return html`<div>
    <label for="${name}"
      >${label}${
        isRequired
          ? html`<span class="asterisk" aria-hidden="true"> *</span>`
          : html`<span class="optional"> (optional)</span>`
      }</label
    >
    ${control} ${message !== undefined && html`<span class="error" id="${name}-error">${message}</span>`}
  </div>`;
}
