import { createHash } from 'node:crypto';
import { tokensStylesheet } from '@countersign/design-tokens';
import type { Context } from 'koa';
import { html, Html } from './html.ts';

/** The logo: an open ring with a pen stroke, without the name. */
export const brandMark = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
  <path class="ring" d="M22.6 7.1A11 11 0 1 0 22.6 24.9" />
  <path
    class="stroke"
    d="M10.2 20.6c2.2-8 5.6-11 6.1-6.6.4 3.8-.2 6.6 2 5.2 2-1.2 1.6-5 4.4-5 1.6 0 3.2.4 6.8-.6"
  />
</svg>`;

const baseStyles = `${tokensStylesheet()}
*, ::before, ::after { box-sizing: border-box; }
body { background: var(--color-background); color: var(--color-text); margin: 0; overflow-wrap: anywhere; }
a { color: var(--color-accent-text); text-underline-offset: .2em; }
:focus-visible { outline: 3px solid var(--color-focus); outline-offset: 2px; }
.brand {
  align-items: center; color: inherit; display: inline-flex; font-weight: 650; gap: var(--space-2);
  letter-spacing: -.02em; min-height: 2.75rem; text-decoration: none;
}
.card { background: var(--color-surface); border: 1px solid var(--color-border); }
.visually-hidden, .skip:not(:focus) { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute; white-space: nowrap; width: 1px; }
input, textarea { background: var(--color-surface); border: 1px solid var(--color-border-control); color: inherit; font: inherit; }
[aria-invalid] { border-color: var(--color-danger); }
.error { color: var(--color-danger); }
button, .button {
  background: var(--color-accent); border: 1px solid transparent; color: var(--color-on-accent); cursor: pointer;
  font: inherit; font-weight: 600;
}
button:hover, .button:hover { background: var(--color-accent-hover); }
button:active, .button:active { transform: translateY(1px); }
.mark { fill: none; flex: none; height: 1.75rem; stroke-linecap: round; stroke-linejoin: round; stroke-width: 3.25; width: 1.75rem; }
.mark .ring { stroke: var(--color-accent-text); }
.mark .stroke { stroke: var(--color-seal); stroke-width: 2.5; }
`;

/** The styles of pages: those of all pages, and some of their own. */
export function pageStyles(own: string) {
  const styles = baseStyles + own;
  return {
    // The policy allows this element by the hash of the text between its tags, so nothing else may stand there, not even a line break.
    element: new Html(`<style>${styles}</style>`),
    source: `'sha256-${createHash('sha256').update(styles).digest('base64')}'`,
  };
}

interface Page {
  /** Includes the name of the site or application. */
  readonly title: string;
  readonly styles: ReturnType<typeof pageStyles>;
  readonly body: Html;
}

/**
 * Sends a page with a strict Content-Security-Policy: no scripts, no resources but its styles, no framing
 * (clickjacking). It is never cached.
 */
export function showPage(ctx: Context, { title, styles, body }: Page): void {
  ctx.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src ${styles.source}`,
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
        ${styles.element}
      </head>
      <body>
        ${body}
      </body>
    </html> `.markup;
}
