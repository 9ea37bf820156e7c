import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { brand } from '@countersign/contracts/brand';
import { tokensStylesheet } from '@countersign/design-tokens';
import { html, trusted, type Markup } from './html.ts';

const baseStyles = createRequire(import.meta.url).resolve('@countersign/design-tokens/base.css');
/** Resets and fonts of every page, with the fonts as data URLs, because the board loads no other file. */
const base = readFileSync(baseStyles, 'utf8').replaceAll(/url\('([^']+)'\)/g, (_, file: string) => {
  const font = readFileSync(createRequire(baseStyles).resolve(file), 'base64');
  return `url(data:font/woff2;base64,${font})`;
});

/** Styles of the board, in the order of the cascade. */
const ownStyles = ['board', 'cards', 'blocks', 'versions', 'reports', 'history', 'login'].map((name) =>
  readFileSync(join(import.meta.dirname, 'styles', `${name}.css`), 'utf8'),
);
const styles = [tokensStylesheet(), base, ...ownStyles].join('\n');

interface BoardPage {
  /** Links in its header. */
  readonly navigation?: Markup;
  readonly main: Markup;
  readonly footer: Markup;
  readonly hasForm?: boolean;
}

/**
 * A page without scripts. Its policy allows nothing but its own styles, fonts in data URLs, the pictures of the store and, for a
 * form, its own server.
 */
export function boardPage({ navigation, main, footer, hasForm = false }: BoardPage): string {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${boardPolicy(hasForm)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>Release board · ${brand}</title>
        <link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}" />
        ${trusted(`<style>${styles}</style>`)}
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <header class="bar">
          <p class="brand">
            ${trusted(mark('class="ring"', 'class="stroke"'))}<span>${brand}</span> <em>Release board</em>
          </p>
          ${navigation}
        </header>
        <main id="main" tabindex="-1">${main}</main>
        <footer><p>${footer}</p></footer>
      </body>
    </html> `;
  return page.text;
}

/** The mark of the brand, as SVG. The arguments are attributes that set the colours of its two strokes. */
function mark(ring: string, stroke: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="28" height="28" fill="none" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path ${ring} stroke-width="3.5" d="M22.6 7.1A11 11 0 1 0 22.6 24.9"/><path ${stroke} stroke-width="3" d="M10.2 20.6c2.2-8 5.6-11 6.1-6.6.4 3.8-.2 6.6 2 5.2 2-1.2 1.6-5 4.4-5 1.6 0 3.2.4 6.8-.6"/></svg>`;
}

const icon = mark('stroke="#2a3fd6"', 'stroke="#a8331f"');

/** Policy of a page of the board for its response header, which can forbid frames in addition. */
export function boardHeaderPolicy(page: string): string {
  const [, policy = "default-src 'none'"] = /content="(default-src [^"]*)"/.exec(page) ?? [];
  return `${policy.replaceAll('&#39;', "'")}; frame-ancestors 'none'`;
}

function boardPolicy(hasForm: boolean): string {
  const hash = createHash('sha256').update(styles).digest('base64');
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    'font-src data:',
    // The pictures of the check, which the server of the board serves beside it.
    "img-src 'self' data:",
    "base-uri 'none'",
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    "require-trusted-types-for 'script'",
  ].join('; ');
}
