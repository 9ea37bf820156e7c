import { leadPath, leadTypes, type LeadType } from '@countersign/contracts/lead';
import Router from '@koa/router';
import type { Context } from 'koa';
import type { AnswerableError } from '../errors.ts';
import { formFields, isForm } from '../form-body.ts';
import { html } from './html.ts';
import { leadForm } from './lead-form-page.ts';
import { showSitePage } from './site-page.ts';
import { thanks } from './thanks.ts';

/** Where a browser goes after it has sent a form: going back or reloading there sends nothing again. */
export function thanksPath(type: LeadType): string {
  return `${leadPath(type)}/thanks`;
}

/** `GET /api/{trial,demo,contact}/thanks`: 200, a page that thanks. */
export function leadPages(): Router {
  const router = new Router();
  for (const type of leadTypes) {
    router.get(thanksPath(type), (ctx) => {
      showSitePage(
        ctx,
        'Thank you',
        html`<h1>Thank you</h1>
          <p>${thanks[type]}</p>`,
      );
    });
  }
  return router;
}

/**
 * Shows an error as a page to a browser that has sent a form by itself, with everything that was typed. Returns whether
 * there is such a browser.
 */
export function showLeadError(ctx: Context, { message, faults = [] }: AnswerableError): boolean {
  const type = leadTypes.find((it) => leadPath(it) === ctx.path);
  if (type === undefined || !isForm(ctx) || !ctx.accepts().includes('text/html')) return false;
  const wasRead = ctx.request.body !== undefined;
  const sentence = faults.length > 0 ? 'Nothing was sent yet. Please correct what is marked below.' : message;
  showSitePage(
    ctx,
    'Not sent',
    html`<h1>Not sent</h1>
      <p role="alert">${sentence}</p>
      ${wasRead ? leadForm({ type, values: formFields(ctx), faults }) : html`<p>Go back to find what you typed.</p>`}`,
  );
  return true;
}
