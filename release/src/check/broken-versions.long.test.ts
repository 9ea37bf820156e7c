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

/** An act of a version, and the violation that the check finds. */
type ExpectedViolation = readonly [Component, RegExp];

/** A check takes seconds, so one version has all violations that do not hide each other. */
const together: readonly (readonly ExpectedViolation[])[] = [
  // Changes that it leaves in the page.
  [
    [`document.body.style.overflow = 'hidden';`, /^changes the element body: overflow: hidden/],
    [`document.querySelector('main').ariaHidden = 'true';`, /^changes the element main: aria-hidden/],
    [`document.title = 'Sale';`, /^changes the title of the page: Sale/],
    [`document.documentElement.lang = 'de';`, /^changes the language of the page: de/],
    [
      `document.head.append(Object.assign(document.createElement('meta'), { name: 'viewport', content: 'width=500' }));`,
      /^changes the head of the page: <meta name="viewport".*width=500/,
    ],
    [`history.pushState(null, '', '/sale');`, /^changes the address or the history: \/sale/],
    [
      `try { localStorage.setItem('${themeStorageKey}', '1'); } catch {}`,
      /^changes or removes what is stored by others: countersign-theme=system/,
    ],
    [`document.querySelector('h1').style.color = 'red';`, /^changes what is not its own: shell: h1 "Sample"/],
    [
      `const { fetch } = window; window.fetch = () => Promise.reject(new Error('no'));`,
      /^replaces functions of the browser: window\.fetch/,
    ],
    [`history.replaceState = () => undefined;`, /^replaces functions of .*history\.replaceState/],
    [`setTimeout(() => Promise.reject(new Error('late')));`, /^causes an error: Error: late$/],
  ],
  [
    [
      { markup: `<div class="${own}">${toggle}</div>`, css: `.${own} { height: 1px; overflow: hidden }` },
      /^breaks its own journey "more is shown".*\(press button "More"\): it is cut off by its box/,
    ],
    [`document.documentElement.style.overflow = 'hidden';`, /^changes the element html: overflow/],
    [
      `document.querySelector('h1').remove();`,
      /^covers or removes controls or headings of others: shell: h1 "Sample"/,
    ],
    [
      // Four times what is allowed, which is more while the live page is slow.
      at(390, 'for (const start = performance.now(); performance.now() < start + 12_000; );'),
      /^keeps the page from answering: for 12 s/,
    ],
    [`console.error('No plans');`, /^causes an error: No plans$/],
    [
      `fetch('https://elsewhere.example/').catch(() => undefined);`,
      /^causes an error: .*Content Security Policy.*connect-src/,
    ],
  ],
  // The use of the page.
  [
    [`document.getElementById('contact').scrollIntoView();`, /^scrolls the page or moves the focus/],
    [
      `document.getElementById('contact').removeAttribute('id');`,
      /^breaks the journey of shell "a link scrolls to the end" \(for a visitor with a window of 1024 × 480 px\), step 1 of 1 \(scrollsTo link "Contact" section contact\): the page has no section "contact"/,
    ],
    [
      `slot.addEventListener('change', ({ target }) => { setTimeout(() => { target.checked = false; }); });`,
      /^breaks its own journey "yearly is chosen".*: it is not chosen after it was pressed/,
    ],
    [
      `slot.querySelector('button').addEventListener('click', () => { throw new Error('More'); });`,
      /^breaks its own journey "more is shown".*causes an error: Error: More/,
    ],
  ],
  [
    [
      `slot.querySelector('button').addEventListener('click', () => { document.body.style.overflow = 'clip'; });`,
      /^breaks its own journey "more is shown".*it works, but leaves the body of the page changed: overflow: clip/,
    ],
    [
      `document.getElementById('form').addEventListener('submit', () => send({ name: 'Ada' }));`,
      /^breaks the journey of shell "a lead is sent".*it works, but sends \/api\/contact and \/api\/contact/,
    ],
    [
      { code: at(390, `addEventListener('scroll', () => scrollY > 600 && (${coverPage})());`), css: sheet },
      /^(?:covers or removes|has controls or headings|stops) .* 390 px/,
    ],
  ],
  // Violations for some visitors only.
  [
    [
      { markup: toggle + box('Sale'), css: `@media (600px < width < 1000px) { ${sheet} }` },
      /^covers or removes controls or headings of others: .* 768 px/,
    ],
    [
      { markup: box('Prices').replace(own, `${own}3`), css: `.${own}3 { width: 380px }` },
      /^makes the page too wide: .*p "Prices" reaches from 0 to 380 px of 320, .* 390 px/,
    ],
    [
      {
        markup: box('Hours').replace(own, `${own}2`),
        css: `@media (prefers-color-scheme: dark) { .${own}2 { background: #000; color: #222 } }`,
      },
      /^is less accessible than the live version: .* \(color-contrast\): .*the dark theme/,
    ],
    [{ markup: '<button type="button"></button>' }, /^is less accessible .*\(button-name\)/],
    [
      {
        code: `fetch('/mf-pricing/1.1.0/lazy.js');`,
        extra: { 'lazy.js': `/* ${randomBytes(45_000).toString('base64')} */` },
      },
      /^loads 4\d\.\d kB of script before it is used, more than its budget of 40 kB/,
    ],
    [
      {
        markup: `<p><img src="/mf-pricing/1.1.0/photo.png" alt="Office"></p>`,
        extra: { 'photo.png': randomBytes(3_000_000) },
      },
      /^loads 3000 kB of images and fonts before it is used/,
    ],
  ],
  [
    [
      {
        markup: `<div class="${own}">${toggle}</div>`,
        css: `@media (prefers-reduced-motion: no-preference) { .${own} { opacity: 0 } }`,
      },
      /^has controls or headings that no visitor can see or press: mf-pricing: h2 "Plans" by nothing/,
    ],
    [
      { markup: `<div class="${own}">${toggle}</div>`, css: `@media print { .${own} { display: none } }` },
      /^prints nothing: mf-pricing: \.\/first/,
    ],
    [
      {
        markup: `<div class="${own}">${toggle}</div>`,
        code: `addEventListener('keydown', (event) => event.preventDefault(), true);`,
      },
      /^breaks the journey of shell "a lead is sent".*: it holds/,
    ],
  ],
  [
    // Safari lacks this.
    [
      `setTimeout(() => requestIdleCallback(() => undefined));`,
      /^does not come to life .*requestIdleCallback is not defined/,
    ],
    // Visitors may block the storage.
    [`(async () => localStorage.getItem('plan'))();`, /^does not come to life .*The operation is insecure/],
    [
      `if (new Date(2026, 0).getTimezoneOffset() === -60) throw new Error('No such day');`,
      /^does not come to life in the live shell \(.*No such day.*\), for a visitor with .* the time of Berlin$/,
    ],
  ],
  // Later changes, and targets of links.
  [
    [
      `const box = slot.appendChild(document.createElement('div'));
       slot.prepend(box); setTimeout(() => { box.style.height = '400px'; });`,
      /^moves what visitors read, because it inserts something later: mf-pricing: \.\/first by 4\d\d px$/,
    ],
    [
      `const work = () => { for (const start = performance.now(); performance.now() < start + 30; ); requestAnimationFrame(work); };
       work();`,
      /^never comes to rest: scripts run for \d+ ms in each frame$/,
    ],
    [
      {
        markup: `${toggle}<p role="status">0</p>`,
        code: `let count = 0; setInterval(() => { slot.querySelector('[role]').textContent = count += 1; }, 500);`,
      },
      /^announces something to screen readers again and again: mf-pricing: p \d+ times$/,
    ],
    [
      `setTimeout(() => { document.documentElement.dataset.theme = 'dark'; }, 500);`,
      /^shows the theme late: none, rgba?\(.*\), then dark/,
    ],
    [
      `slot.addEventListener('change', ({ target }) => { setTimeout(() => { target.checked = false; }, 1000); });`,
      /^replaces or sets back what a visitor has filled in: mf-pricing: label "Yearly"/,
    ],
    [
      { markup: '<p><a href="#terms">Terms</a> <a href="/blog">Blog</a> <a href="/">Home</a></p>' },
      /^has links that lead nowhere .*: mf-pricing: a "Terms" to #terms, .*a "Blog" to \/blog, and .*a "Home" to \/$/,
    ],
  ],
  // Acts that browsers refuse.
  [
    [{ markup: '<p></p>', code: `slot.replaceChildren();` }, /^renders nothing: mf-pricing: \.\/first/],
    [
      `for (let i = 0; i < 170; i += 1) document.cookie = 'c' + i + '=' + 'x'.repeat(4000);`,
      /^sets so many cookies that requests fail/,
    ],
    [`open('/');`, /^opens a window$/],
    [`alert('Sale');`, /^shows a dialog: Sale$/],
    [
      `Object.assign(document.createElement('a'), { href: 'data:text/plain,x', download: 'x' }).click();`,
      /^starts a download$/,
    ],
  ],
  [
    [`fetch('/' + 'x'.repeat(300) + '/1/a').catch(() => undefined);`, /^requests \/x{250}/],
    [
      `const request = (times) => void fetch('/').finally(() => times > 0 && request(times - 1)); request(25);`,
      /^requests the same again and again: \//,
    ],
    [
      `document.querySelector('#form [name]').name = 'mail';`,
      /^breaks the journey of shell "a lead is sent".*\{"mail":"Ada"\}, without the right name/,
    ],
  ],
  // Code that ends the page, or covers it later, for one visitor each.
  [
    [at(1280, `document.querySelector('main').inert = true;`), /^keeps the page covered or inert .*: main/],
    [at(390, 'for (;;);'), /^(?:does not let the page open|stops the page).* 390 px/],
    [
      at(768, 'const all = []; for (;;) all.push(new Array(1e6).fill(1.5));'),
      /^(?:crashes the page|does not let the page open).* 768 px/,
    ],
  ],
  [
    [at(390, `document.documentElement.remove();`), /^(?:leaves a page that|does not let).* 390 px/],
    [at(768, 'location.reload();'), /^leaves the page: https:\/\/www\.example\.com\/, .* 768 px/],
    [
      { code: at(1280, `setTimeout(${coverPage}, 3000);`), css: sheet },
      /^covers or removes controls or headings of others: shell: h1.* 1280 px$/,
    ],
  ],
];

for (const expectedViolations of together) {
  test(`a version is refused that ${expectedViolations.map(([, { source }]) => source.slice(1)).join(', ')}`, async () => {
    const violations = await violationsWith(expectedViolations.map(([component]) => component));
    for (const [, expected] of expectedViolations) {
      assert(
        violations.some((violation) => expected.test(violation)),
        `${String(expected)} is not among:\n${violations.join('\n')}`,
      );
    }
  });
}
