import { brand } from '@countersign/contracts/brand';
import type { Context } from 'koa';
import { html, type Html } from './html.ts';
import { brandMark, pageStyles, showPage } from './page.ts';

const styles = pageStyles(`
body { font: var(--text-md)/var(--leading-normal) var(--font-sans); }
header, main, footer { margin: 0 auto; max-width: 38rem; padding: 0 var(--space-gutter); }
header { padding-block: var(--space-6) var(--space-5); }
footer { padding-block: var(--space-4) var(--space-8); }
.brand { font-size: var(--text-lg); }
footer a { display: inline-flex; font-weight: 600; min-height: 2.75rem; align-items: center; }
.card {
  border-radius: var(--radius-large); box-shadow: var(--shadow-medium); padding: clamp(var(--space-5), 5vw, var(--space-6));
}
h1 {
  font-size: var(--text-2xl); font-weight: 680; letter-spacing: -.03em; line-height: var(--leading-tight);
  margin: 0 0 var(--space-3); text-wrap: balance;
}
p { margin: 0; text-wrap: pretty; }
.legend { color: var(--color-text-muted); font-size: var(--text-sm); margin-top: var(--space-5); }
.asterisk { color: var(--color-danger); }
label, .error { display: block; }
label { font-size: var(--text-sm); font-weight: 600; margin: var(--space-4) 0 var(--space-2); }
.optional { color: var(--color-text-muted); font-weight: 400; }
input, textarea {
  border-radius: var(--radius-medium); line-height: var(--leading-snug); min-height: 2.875rem; padding: var(--space-2) var(--space-3);
  resize: vertical; width: 100%;
}
[aria-invalid] { box-shadow: 0 0 0 1px var(--color-danger); }
.error { font-size: var(--text-sm); margin-top: var(--space-2); }
[role=alert] {
  background: var(--color-danger-soft); border-radius: var(--radius-medium); color: var(--color-danger); font-weight: 600;
  padding: var(--space-3) var(--space-4);
}
button {
  border-radius: var(--radius-medium); margin-top: var(--space-5); min-height: 3.25rem; padding: var(--space-2) var(--space-5);
}
@media (max-width: 30rem) { button { width: 100%; } }
@media (prefers-contrast: more), (forced-colors: active) { [aria-invalid] { border-width: 3px; } }
`);

/**
 * Sends a page in the style of the public site: the answers to a form that was sent without script, which are thanks, or the
 * form with its errors. The inbox has a frame of its own.
 */
export function showSitePage(ctx: Context, title: string, main: Html): void {
  showPage(ctx, {
    title: `${title} – ${brand}`,
    styles,
    body: html`<header>
        <a class="brand" href="/">${brandMark}${brand}</a>
      </header>
      <main><div class="card">${main}</div></main>
      <footer><a href="/">Back to ${brand}</a></footer>`,
  });
}
