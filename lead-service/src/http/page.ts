import type { Context } from 'koa';
import { html, type Html } from './html.ts';

/** What pages differ in. */
export interface Page {
  /** With the name of what it belongs to. */
  readonly title: string;
  /** An element for the head. */
  readonly styles: Html;
  /** Where these styles come from, as the Content-Security-Policy says it. */
  readonly styleSource: string;
  readonly body: Html;
}

/** Answers with a page that runs no script, loads nothing but its styles, and stays with whoever asked for it. */
export function showPage(ctx: Context, { title, styles, styleSource, body }: Page): void {
  ctx.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src ${styleSource}`,
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    // Less would take the origin away from the forms as well, by which they are known to be ours.
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  });
  ctx.type = 'html';
  ctx.body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${styles}
      </head>
      <body>
        ${body}
      </body>
    </html> `.markup;
}
