import { createHash } from 'node:crypto';
import { brand } from '@countersign/contracts/brand';
import type { Context } from 'koa';
import { html, Html } from './html.ts';

const styles = `
:root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 36rem; padding: 2rem 1rem; }
label, .error { display: block; }
label { font-weight: 600; margin-top: 1.25rem; }
input, textarea { box-sizing: border-box; font: inherit; padding: .5rem; width: 100%; }
[aria-invalid] { border: 2px solid; border-color: light-dark(#b3261e, #ff8a80); }
.error, [role=alert] { color: light-dark(#b3261e, #ff8a80); font-weight: 600; }
.apart { height: 1px; left: -999rem; overflow: hidden; position: absolute; width: 1px; }
button { font: inherit; font-weight: 600; margin: 1.5rem 0; padding: .625rem 1.25rem; }
`;

// Its text has the hash that the policy below allows: nothing may be added to it.
const styleElement = new Html(`<style>${styles}</style>`);

const headers = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  // Less would take the origin away from the next form as well.
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** Answers with a page that needs no script. */
export function showPage(ctx: Context, title: string, main: Html): void {
  ctx.set(headers);
  ctx.type = 'html';
  ctx.body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – ${brand}</title>
        ${styleElement}
      </head>
      <body>
        <main>${main}</main>
        <p><a href="/">Back to ${brand}</a></p>
      </body>
    </html> `.markup;
}
