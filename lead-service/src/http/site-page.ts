import { createHash } from 'node:crypto';
import { brand } from '@countersign/contracts/brand';
import { tokensStylesheet } from '@countersign/design-tokens';
import type { Context } from 'koa';
import { html, Html } from './html.ts';
import { showPage } from './page.ts';

const styles = `${tokensStylesheet()}
*, ::before, ::after { box-sizing: border-box; }
body {
  background: var(--color-background); color: var(--color-text); margin: 0;
  font: var(--text-md)/var(--leading-normal) var(--font-sans); overflow-wrap: anywhere;
}
main, footer { margin: 0 auto; max-width: 38rem; padding: 0 var(--space-gutter); }
main { padding-top: var(--space-8); }
footer { padding-bottom: var(--space-8); padding-top: var(--space-5); }
.card {
  background: var(--color-surface); border: 1px solid var(--color-border); border-radius: var(--radius-large);
  padding: var(--space-6);
}
h1 { font-size: var(--text-2xl); line-height: var(--leading-tight); margin: 0 0 var(--space-3); }
p { margin: 0; }
a { color: var(--color-accent-text); text-underline-offset: .2em; }
:focus-visible { outline: 3px solid var(--color-focus); outline-offset: 2px; }
label, .error { display: block; }
label { font-weight: 600; margin: var(--space-5) 0 var(--space-1); }
input, textarea {
  background: var(--color-surface); border: 1px solid var(--color-border-control); border-radius: var(--radius-small);
  color: inherit; font: inherit; padding: var(--space-2) var(--space-3); width: 100%;
}
[aria-invalid] { border-color: var(--color-danger); }
.error, [role=alert] { color: var(--color-danger); font-weight: 600; }
.apart { height: 1px; left: -999rem; overflow: hidden; position: absolute; width: 1px; }
button {
  background: var(--color-accent); border: 0; border-radius: var(--radius-small); color: var(--color-on-accent);
  cursor: pointer; font: inherit; font-weight: 650; margin-top: var(--space-5); padding: var(--space-3) var(--space-6);
}
`;

// The policy allows this element by the hash of its text, so the text must stay exactly the same.
const styleElement = new Html(`<style>${styles}</style>`);

const styleSource = `'sha256-${createHash('sha256').update(styles).digest('base64')}'`;

/** Sends a page in the design of the public site. */
export function showSitePage(ctx: Context, title: string, main: Html): void {
  showPage(ctx, {
    title: `${title} – ${brand}`,
    styles: styleElement,
    styleSource,
    body: html`<main><div class="card">${main}</div></main>
      <footer><a href="/">Back to ${brand}</a></footer>`,
  });
}
