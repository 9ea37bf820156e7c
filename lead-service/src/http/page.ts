import type { Context } from 'koa';
import { html, type Html } from './html.ts';

interface Page {
  /** Includes the name of the site or application. */
  readonly title: string;
  readonly styles: Html;
  /** Source expression of `style-src` in the Content-Security-Policy. */
  readonly styleSource: string;
  readonly body: Html;
}

/**
 * Sends a page with a strict Content-Security-Policy: no scripts, no resources but its styles, no framing
 * (clickjacking). It is never cached.
 */
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
    // With a stricter policy, forms would send `Origin: null`, and the CSRF check would refuse them.
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
