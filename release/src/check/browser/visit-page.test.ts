import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { browserOfTests } from '../../testing/config.ts';
import { PageFailure } from './isolated-world.ts';
import { openBrowser } from './open-browser.ts';
import type { ServedSite } from './served-site.ts';
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
function siteOf(html: string, remotes: readonly string[] = []): ServedSite {
  return {
    origin: 'https://www.example.com',
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
<p id="status">Ready</p><p id="ticks"></p><p id="chain"></p><p id="pulse">Now</p><p id="width"></p><p id="far">Far</p>
<script>
  const show = (id, text) => { document.getElementById(id).textContent += text; };
  setTimeout(() => document.getElementById('status').remove(), 5000);
  setInterval(() => show('ticks', 'tick '), 3000);
  setTimeout(() => setTimeout((text) => show('chain', text), 400, 'after'), 1500);
  setTimeout(() => show('chain', 'much later'), 20000);
  clearTimeout(setTimeout(() => show('chain', 'never'), 2000));
  addEventListener('resize', () => setTimeout(() => show('width', innerWidth), 900));
</script>`;

test('visit: a page shows what it shows after ten seconds, and does not change any more', async () => {
  const { page, world, settle } = await visitPage(browser, siteOf(movingPage), visitors.desktop);
  const look = () =>
    world.run(() => ({
      texts: [...document.querySelectorAll('p')].map(({ id, textContent }) => `${id}: ${textContent.trim()}`),
      animations: document.getAnimations().length,
      fonts: Array.from(document.fonts, ({ status }) => status),
    }));
  const rest = ['chain: after', 'pulse: Now'];
  const seen = { animations: 0, fonts: ['loaded'] };
  const first = ['ticks: tick tick tick', ...rest, 'width: ', 'far: Far'];
  assert.deepEqual(await look(), { ...seen, texts: first });
  await page.setViewportSize({ width: 390, height: 800 });
  await settle();
  assert.deepEqual(await look(), { ...seen, texts: first.with(3, 'width: 390') });
});

test('visit: a page that never settles is a failure that says so', async () => {
  const busy = `<!doctype html><title>Sample</title><div data-remote="mf-pricing"></div>
<script>setInterval(() => fetch('/more'), 400)</script>`;
  await assert.rejects(
    visitPage(browser, siteOf(busy, ['mf-pricing']), visitors.desktop, 1500),
    new PageFailure('does not let the page settle within 1.5 s'),
  );
});
