import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { themeStorageKey } from '@countersign/contracts/shell-api';
import { own, violationsWith, toggle, type Component } from '../testing/version-with-components.ts';

/** Code for those of `visitors.ts` with this width of the window. */
const at = (width: number, code: string) => `if (innerWidth === ${width}) { ${code} }`;
const box = (text: string) => `<p class="${own}">${text}</p>`;
/** Lets an element with this class cover the page. */
const sheet = `.${own} { position: fixed; inset: 0; z-index: 9 }`;
const coverPage = `() => { slot.firstElementChild.className = '${own}'; }`;

/**
 * What a version does → the beginning of each violation that the check finds, as a regular expression → its act. A check takes seconds,
 * so one version has all violations that do not hide each other.
 */
const brokenVersions: Readonly<Record<string, Readonly<Record<string, Component>>>> = {
  'leaves its changes in the page': {
    'changes the element body: overflow: hidden': `document.body.style.overflow = 'hidden';`,
    'changes the element main: aria-hidden': `document.querySelector('main').ariaHidden = 'true';`,
    'changes the title of the page: Sale': `document.title = 'Sale';`,
    'changes the language of the page: de': `document.documentElement.lang = 'de';`,
    'changes the head of the page: <meta name="viewport".*width=500': {
      code: `document.head.append(Object.assign(document.createElement('meta'), { name: 'viewport', content: 'width=500' }));`,
    },
    'changes the address or the history: /sale': `history.pushState(null, '', '/sale');`,
    'changes or removes what is stored by others: countersign-theme=system': {
      code: `try { localStorage.setItem('${themeStorageKey}', '1'); } catch {}`,
    },
    'changes what is not its own: shell: h1 "Sample"': `document.querySelector('h1').style.color = 'red';`,
    'replaces functions of the browser: window\\.fetch': {
      code: `const { fetch } = window; window.fetch = () => Promise.reject(new Error('no'));`,
    },
    'replaces functions of .*history\\.replaceState': `history.replaceState = () => undefined;`,
    'causes an error: Error: late$': `setTimeout(() => Promise.reject(new Error('late')));`,
  },
  'blocks the page or logs errors': {
    'breaks its own journey "more is shown".*\\(press button "More"\\): it is cut off by its box': {
      markup: `<div class="${own}">${toggle}</div>`,
      css: `.${own} { height: 1px; overflow: hidden }`,
    },
    'changes the element html: overflow': `document.documentElement.style.overflow = 'hidden';`,
    'covers or removes controls or headings of others: shell: h1 "Sample"': `document.querySelector('h1').remove();`,
    // Four times what is allowed, which is more while the live page is slow.
    'keeps the page from answering: for 12 s': at(
      390,
      'for (const start = performance.now(); performance.now() < start + 12_000; );',
    ),
    'causes an error: No plans$': `console.error('No plans');`,
    'causes an error: .*Content Security Policy.*connect-src': {
      code: `fetch('https://elsewhere.example/').catch(() => undefined);`,
    },
  },
  'breaks the use of the page': {
    'scrolls the page or moves the focus': `document.getElementById('contact').scrollIntoView();`,
    'breaks the journey of shell "a link scrolls to the end" \\(for a visitor with a window of 1024 × 480 px\\), step 1 of 1 \\(scrollsTo link "Contact" section contact\\): the page has no section "contact"':
      { code: `document.getElementById('contact').removeAttribute('id');` },
    'breaks its own journey "yearly is chosen".*: it is not chosen after it was pressed': {
      code: `slot.addEventListener('change', ({ target }) => { setTimeout(() => { target.checked = false; }); });`,
    },
    'breaks its own journey "an early choice stays".*: it is not chosen': `slot.querySelector('input').checked = false;`,
    'breaks its own journey "more is shown".*causes an error: Error: More': {
      code: `slot.querySelector('button').addEventListener('click', () => { throw new Error('More'); });`,
    },
  },
  'works, then harms the page': {
    'breaks its own journey "more is shown".*it works, but leaves the body of the page changed: overflow: clip':
      {
        code: `slot.querySelector('button').addEventListener('click', () => { document.body.style.overflow = 'clip'; });`,
      },
    'breaks the journey of shell "a lead is sent".*it works, but sends /api/contact and /api/contact': {
      code: `document.getElementById('form').addEventListener('submit', () => send({ name: 'Ada' }));`,
    },
    '(?:covers or removes|has controls or headings|stops) .* 390 px': {
      code: at(390, `addEventListener('scroll', () => scrollY > 600 && (${coverPage})());`),
      css: sheet,
    },
  },
  'fails for some visitors': {
    'covers or removes controls or headings of others: .* 768 px': {
      markup: toggle + box('Sale'),
      css: `@media (600px < width < 1000px) { ${sheet} }`,
    },
    'makes the page too wide: .*p "Prices" reaches from 0 to 380 px of 320, .* 390 px': {
      markup: box('Prices').replace(own, `${own}3`),
      css: `.${own}3 { width: 380px }`,
    },
    'is less accessible than the live version: .* \\(color-contrast\\): .*the dark theme': {
      markup: box('Hours').replace(own, `${own}2`),
      css: `@media (prefers-color-scheme: dark) { .${own}2 { background: #000; color: #222 } }`,
    },
    'is less accessible .*\\(button-name\\)': { markup: '<button type="button"></button>' },
    'loads 4\\d\\.\\d kB of script of mf-pricing before it is used, more than its budget of 40 kB': {
      code: `fetch('/mf-pricing/1.1.0/lazy.js');`,
      extra: { 'lazy.js': `/* ${randomBytes(45_000).toString('base64')} */` },
    },
    'loads 3000 kB of images and fonts of mf-pricing before it is used': {
      markup: `<p><img src="/mf-pricing/1.1.0/photo.png" alt="Office"></p>`,
      extra: { 'photo.png': randomBytes(3_000_000) },
    },
  },
  'is invisible, or takes keys': {
    'has controls or headings that no visitor can see or press: mf-pricing: h2 "Plans" by nothing': {
      markup: `<div class="${own}">${toggle}</div>`,
      css: `@media (prefers-reduced-motion: no-preference) { .${own} { opacity: 0 } }`,
    },
    'prints nothing: mf-pricing: \\./first': {
      markup: `<div class="${own}">${toggle}</div>`,
      css: `@media print { .${own} { display: none } }`,
    },
    'breaks the journey of shell "a lead is sent".*: it holds': {
      markup: `<div class="${own}">${toggle}</div>`,
      code: `addEventListener('keydown', (event) => event.preventDefault(), true);`,
    },
  },
  'needs what some browsers lack': {
    // Safari lacks this.
    'has slots that do not come to life: .*requestIdleCallback is not defined': {
      code: `setTimeout(() => requestIdleCallback(() => undefined));`,
    },
    // Visitors may block the storage.
    'has slots that do not come to life: .*The operation is insecure': `(async () => localStorage.getItem('plan'))();`,
    'has slots that do not come to life: .* \\(.*No such day.*\\), for a visitor with .* the time of Berlin$':
      { code: `if (new Date(2026, 0).getTimezoneOffset() === -60) throw new Error('No such day');` },
  },
  'changes the page later': {
    'moves what visitors read, because it inserts something later: mf-pricing: \\./first by 4\\d\\d px$': {
      code: `const box = slot.appendChild(document.createElement('div'));
       slot.prepend(box); setTimeout(() => { box.style.height = '400px'; });`,
    },
    'never comes to rest: scripts run for \\d+ ms in each frame$': {
      code: `const work = () => { for (const start = performance.now(); performance.now() < start + 30; ); requestAnimationFrame(work); };
       work();`,
    },
    'announces something to screen readers again and again: mf-pricing: p \\d+ times$': {
      markup: `${toggle}<p role="status">0</p>`,
      code: `let count = 0; setInterval(() => { slot.querySelector('[role]').textContent = count += 1; }, 500);`,
    },
    'shows the theme late: none, rgba?\\(.*\\), then dark': {
      code: `setTimeout(() => { document.documentElement.dataset.theme = 'dark'; }, 500);`,
    },
    'replaces or sets back what a visitor has filled in: mf-pricing: label "Yearly"': {
      code: `slot.addEventListener('change', ({ target }) => { setTimeout(() => { target.checked = false; }, 1000); });`,
    },
    'has links that lead nowhere .*: mf-pricing: a "Terms" to #terms, .*a "Blog" to /index\\.html, and .*a "Home" to /$':
      { markup: '<p><a href="#terms">Terms</a> <a href="/index.html">Blog</a> <a href="/">Home</a></p>' },
  },
  'does what browsers refuse': {
    'sets so many cookies that requests fail': {
      code: `for (let i = 0; i < 170; i += 1) document.cookie = 'c' + i + '=' + 'x'.repeat(4000);`,
    },
    'opens a window$': `open('/');`,
    'shows a dialog: Sale$': `alert('Sale');`,
    'starts a download$': {
      code: `Object.assign(document.createElement('a'), { href: 'data:text/plain,x', download: 'x' }).click();`,
    },
  },
  'sends wrong requests': {
    'requests /x{250}': `fetch('/' + 'x'.repeat(300) + '/1/a').catch(() => undefined);`,
    'requests the same again and again: /': {
      code: `const request = (times) => void fetch('/').finally(() => times > 0 && request(times - 1)); request(25);`,
    },
    'breaks the journey of shell "a lead is sent".*\\{"mail":"Ada"\\}, without the right name': {
      code: `document.querySelector('#form [name]').name = 'mail';`,
    },
  },
  'stops the page for one visitor each': {
    'keeps the page covered or inert .*: main': at(1280, `document.querySelector('main').inert = true;`),
    '(?:does not let the page open|stops the page).* 390 px': at(390, 'for (;;);'),
    '(?:crashes the page|does not let the page open).* 768 px': at(
      768,
      'const all = []; for (;;) all.push(new Array(1e6).fill(1.5));',
    ),
  },
  'leaves or covers the page': {
    '(?:leaves a page that|does not let).* 390 px': at(390, `document.documentElement.remove();`),
    'leaves the page: https://www\\.example\\.com/, .* 768 px': at(768, 'location.reload();'),
    'covers or removes controls or headings of others: shell: h1.* 1280 px$': {
      code: at(1280, `setTimeout(${coverPage}, 3000);`),
      css: sheet,
    },
  },
};

for (const [title, acts] of Object.entries(brokenVersions)) {
  test(`broken versions: one that ${title} gets every violation`, async () => {
    const violations = await violationsWith(Object.values(acts));
    const isFound = (expected: string) => violations.some((each) => new RegExp(`^${expected}`).test(each));
    const missing = Object.keys(acts).filter((expected) => !isFound(expected));
    assert.deepEqual(missing, [], `Found:\n${violations.join('\n')}`);
  });
}
