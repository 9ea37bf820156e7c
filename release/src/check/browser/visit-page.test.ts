import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { browserOfTests } from '../../testing/config.ts';
import { PageFailure } from './isolated-world.ts';
import { openBrowser } from './open-browser.ts';
import type { OfflineSite } from './offline-site.ts';
import { visitPage } from './visit-page.ts';
import { visitors } from './visitors.ts';

let browser: Browser;
before(async () => {
  browser = await openBrowser(browserOfTests);
});
after(() => browser.close());

const font = '/late.woff2';
const fontFile = new URL('figtree-basic.woff2', import.meta.resolve('@countersign/design-tokens/base.css'));

/** A site of one page, with a font. */
function siteOf(html: string, remotes: readonly string[] = []): OfflineSite {
  return {
    origin: 'https://www.example.com',
    appHost: 'https://app.example.com',
    remotes,
    async read(path) {
      const body = path === font ? await readFile(fontFile) : html;
      return { body, headers: {} };
    },
  };
}

/** Sections far from the window begin to load their font when they are laid out. */
const movingPage = `<!doctype html><title>Sample</title>
<style>
  @font-face { font-family: late; src: url(${font}) }
  @keyframes pulse { to { opacity: 0 } }
  #far { content-visibility: auto; margin-top: 9000px; font-family: late }
  #pulse { animation: pulse 1s infinite alternate }
</style>
<p id="pulse">Now</p><p id="far">Far</p>
<script>
  setTimeout(() => document.body.append(Object.assign(document.createElement('p'), { textContent: 'Sale' })), 3000);
  setInterval(() => undefined, 5);
</script>`;

test('visit: a page shows what comes after three seconds, with all fonts and without motion', async () => {
  const { world } = await visitPage(browser, siteOf(movingPage), visitors.desktop);
  const seen = await world.run(() => ({
    texts: Array.from(document.querySelectorAll('p'), ({ textContent }) => textContent),
    animations: document.getAnimations().length,
    fonts: Array.from(document.fonts, ({ status }) => status),
  }));
  assert.deepEqual(seen, { texts: ['Now', 'Far', 'Sale'], animations: 0, fonts: ['loaded'] });
});

test('visit: a page that never settles is a failure that says so', async () => {
  const busy = `<!doctype html><title>Sample</title><div data-remote="mf-pricing"></div>
<script>setInterval(() => fetch('/more'), 400)</script>`;
  await assert.rejects(
    visitPage(browser, siteOf(busy, ['mf-pricing']), visitors.desktop, 1500),
    new PageFailure('does not let the page settle within 1.5 s'),
  );
});
