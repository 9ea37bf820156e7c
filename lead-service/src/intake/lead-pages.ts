import { leadPath, leadTypes, type LeadType } from '@countersign/contracts/lead';
import { leadAttribution, type LeadAttribution } from '@countersign/contracts/lead-submission';
import type { Context } from 'koa';
import { html } from '../http/html.ts';
import type { HttpError } from '../http/http-error.ts';
import { formFields, isForm } from '../http/request-body.ts';
import { isOwnHost } from '../http/same-origin.ts';
import { showSitePage } from '../http/site-page.ts';
import { leadForm } from './lead-form-page.ts';

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
  const type = leadTypes.find((it) => leadPath(it) === ctx['_matchedRoute']);
  if (type === undefined || !isForm(ctx) || !ctx.accepts().includes('text/html')) return false;
  const wasRead = ctx.request.body !== undefined;
  const alertText =
    fieldErrors.length > 0 ? 'Nothing was sent yet. Please correct what is marked below.' : message;
  showSitePage(
    ctx,
    'Not sent',
    html`<h1>Not sent</h1>
      <p role="alert">${alertText}</p>
      ${wasRead ? leadForm({ type, values: formFields(ctx), fieldErrors }) : html`<p>Go back to find what you typed.</p>`}`,
  );
  return true;
}

/** Attribution of a native form submission, from the Referer header, because no script can add it. */
export function formAttribution(ctx: Context): LeadAttribution {
  const page = URL.parse(ctx.get('Referer'));
  // The form on an error page carries no campaign parameters.
  if (page === null || !isOwnHost(ctx, page.href) || page.pathname.startsWith('/api/')) return {};
  const campaign = (name: string) => page.searchParams.get(`utm_${name}`) ?? undefined;
  return leadAttribution.parse({
    page: page.pathname + page.search,
    utmSource: campaign('source'),
    utmMedium: campaign('medium'),
    utmCampaign: campaign('campaign'),
    utmTerm: campaign('term'),
    utmContent: campaign('content'),
  });
}
