import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { suite, test } from 'node:test';
import { fragmentFile } from '@countersign/contracts/fragment';
import {
  choose,
  defineJourneys,
  hasValue,
  press,
  scrollsTo,
  see,
  sends,
  type,
} from '@countersign/contracts/journeys';
import { documentTemplateFile } from '@countersign/contracts/part-manifest';
import { integrityOf } from '../store/file-hash.ts';
import type { BuiltPart } from '../testing/built-part.ts';
import { compatibleRemote, compatibleShell, minimalShellScript } from '../testing/compatible-part.ts';
import type { TemporaryStore } from '../testing/temporary-store.ts';
import { pageViolationsOf } from '../testing/violations-of.ts';

interface Block {
  /** Its fragment. */
  readonly markup?: string;
  /** Body of the function that gets its slot as `slot`. */
  readonly code?: string;
  /** Styles of its class. */
  readonly css?: string;
  readonly extra?: BuiltPart;
}

const own = 'first-module-mf-pricing-Ab12_x';
const box = (text: string) => `<p class="${own}">${text}</p>`;
const sheet = `.${own} { position: fixed; inset: 0; z-index: 9 }`;
const toggle = `<section><h2>Plans</h2><label><input type="radio" name="a"> Yearly</label><button type="button">More</button></section>`;

/** A shell whose page is high and loses a text after a while, and whose visitors send a form, scroll to a section and keep a theme. */
function usedShell(): BuiltPart {
  const shell = compatibleShell(
    '1.0.0',
    {
      'shell.js': `${minimalShellScript}
        try { localStorage.setItem('theme', 'dark'); } catch {}
        setTimeout(() => document.getElementById('status').remove(), 3000);
        document.getElementById('form').addEventListener('submit', (event) => {
          event.preventDefault();
          fetch('/api/contact', { method: 'POST', body: JSON.stringify(Object.fromEntries(new FormData(event.target))) });
        });`,
      'shell.css': 'body { margin: 0 } #filler { height: 2000px }',
    },
    defineJourneys({
      'a lead is sent': [
        type('textbox "Name"', 'Ada'),
        hasValue('textbox "Name"', 'Ada'),
        press('button "Send"'),
        sends('/api/contact', { name: 'Ada' }),
      ],
      'a link scrolls to the end': [scrollsTo('link "Contact"', 'contact')],
    }),
  );
  const form =
    '<p id="status">Ready</p><form id="form"><label>Name <input name="name"></label><button>Send</button></form>';
  const template = String(shell[documentTemplateFile]).replace(
    '<p id="contact">',
    `<div id="filler"></div>${form}<p id="contact">`,
  );
  return { ...shell, [documentTemplateFile]: template };
}

const ownJourneys = defineJourneys({
  'yearly is chosen': [choose('radio "Yearly"')],
  'more is shown': [press('button "More"'), see('"Plans"')],
});

/** A remote whose only block this is. */
function remoteOf(
  name: 'mf-leads' | 'mf-pricing',
  version: string,
  block: Block,
  journeys = ownJourneys,
): BuiltPart {
  const { markup = toggle, code = '', css = '', extra = {} } = block;
  return compatibleRemote(name, version, {
    journeys,
    extra: {
      [fragmentFile('./first')]: markup,
      'entry.js': `window['${name}@${version}'] = (slot) => { ${code} };`,
      'exposed.css': css,
      ...extra,
    },
  });
}

/** What the check says about a version, without its name and the remedy that all have. */
async function problemsOf(block: Block, ...others: readonly BuiltPart[]): Promise<readonly string[]> {
  const version = remoteOf('mf-pricing', '1.1.0', block);
  const violations = await pageViolationsOf(version, undefined, usedShell(), ...others);
  return violations.map(
    (violation) => /^mf-pricing 1\.1\.0 (.*)\. Put it right/.exec(violation)?.[1] ?? violation,
  );
}

/** Text that cannot be compressed. */
const heavy = Array.from({ length: 1400 }, (_, index) =>
  createHash('sha256').update(`${index}`).digest('base64'),
).join('');
const heavyHash = integrityOf(new TextEncoder().encode(`/* ${heavy} */`));
const load = (file: string, integrity: string) => `const script = document.createElement('script');
  const policy = trustedTypes.createPolicy('mf-pricing@1.1.0', { createScriptURL: (url) => url });
  Object.assign(script, { crossOrigin: 'anonymous', integrity: '${integrity}', src: policy.createScriptURL('/mf-pricing/1.1.0/${file}') });
  document.head.append(script);`;

const photo = `<svg xmlns="http://www.w3.org/2000/svg"><!-- ${heavy.repeat(3).slice(0, 150_000)} --></svg>`;

const sound: Readonly<Record<string, Block>> = {
  'a counter that never ends': {
    markup: '<p><output>0</output></p>',
    code: `let count = 0; setInterval(() => { slot.querySelector('output').textContent = String(count += 1); }, 50);`,
  },
  'a typewriter': {
    markup: '<p><em>Sign</em></p>',
    code: `const text = 'Sign in order, and keep a record of it. '.repeat(2);
      const type = (length) => { slot.querySelector('em').textContent = text.slice(0, length); if (length < text.length) setTimeout(type, 60, length + 1); };
      type(1);`,
  },
  'fields that are named like properties of a form': {
    markup: `<form>${['children', 'matches', 'contains', 'attributes', 'textContent', 'nodeName', 'closest']
      .map((name) => `<p><label>${name} <input name="${name}"></label></p>`)
      .join('')}</form>`,
  },
  'an image of 150 kB': {
    markup: '<p><img src="/mf-pricing/1.1.0/photo.svg" alt="Our office" width="224" height="224"></p>',
    extra: { 'photo.svg': photo },
  },
};

test(`check: a version passes that has ${Object.keys(sound).join(', ')}`, async () => {
  assert.deepEqual(await problemsOf(merged([{}, ...Object.values(sound)])), []);
});

test('check: a live part that has them stops no other part', async () => {
  const { markup = '', ...block } = merged(Object.values(sound));
  const other = { ...block, markup: markup.replaceAll('mf-pricing/1.1.0', 'mf-leads/1.0.0') };
  assert.deepEqual(await problemsOf({}, remoteOf('mf-leads', '1.0.0', other)), []);
});

const broken: Readonly<Record<string, readonly [Block, RegExp]>> = {
  // What it leaves behind on elements of the page.
  'leaves a scroll lock on body': [
    { code: `document.body.style.overflow = 'hidden';` },
    /^changes the element body: overflow: hidden/,
  ],
  'leaves a scroll lock on html': [
    { code: `document.documentElement.style.overflow = 'hidden';` },
    /^changes the element html: overflow/,
  ],
  'leaves main inert': [
    { code: `document.querySelector('main').inert = true;` },
    /^keeps the page covered or inert for more than 6 s: main/,
  ],
  'hides main from screen readers': [
    { code: `document.querySelector('main').ariaHidden = 'true';` },
    /^changes the element main: aria-hidden/,
  ],
  'changes the title': [{ code: `document.title = 'Sale';` }, /^changes the title of the page: Sale/],
  'changes the language': [
    { code: `document.documentElement.lang = 'de';` },
    /^changes the language of the page: de/,
  ],
  'changes the viewport': [
    {
      code: `document.head.append(Object.assign(document.createElement('meta'), { name: 'viewport', content: 'width=500' }));`,
    },
    /^changes the viewport: width=500/,
  ],
  'scrolls into view as it starts': [
    { code: `document.getElementById('contact').scrollIntoView();` },
    /^scrolls the page or moves the focus/,
  ],
  'adds to the history': [
    { code: `history.pushState(null, '', '/sale');` },
    /^changes the address or the history: \/sale/,
  ],
  'sets an anchor': [{ code: `location.hash = 'sale';` }, /^changes the address or the history: \/#sale/],
  'overwrites the theme': [
    { code: `try { localStorage.setItem('theme', '1'); } catch {}` },
    /^changes or removes what is stored by others: theme=dark/,
  ],
  'clears the storage': [
    { code: `try { localStorage.clear(); } catch {}` },
    /^changes or removes what is stored by others: theme=dark/,
  ],
  'sets 170 cookies': [
    { code: `for (let i = 0; i < 170; i += 1) document.cookie = 'c' + i + '=' + 'x'.repeat(4000);` },
    /^sets so many cookies that requests fail/,
  ],
  'removes another part': [
    { code: `document.querySelector('h1').remove();` },
    /^covers or removes controls or headings of others: shell: h1 "Sample"/,
  ],
  'restyles another part': [
    { code: `document.querySelector('h1').style.color = 'red';` },
    /^changes what is not its own: shell: h1 "Sample"/,
  ],
  // How it is used.
  'swallows all keys': [
    { code: `addEventListener('keydown', (event) => event.preventDefault(), true);` },
    /^breaks the journey of shell "a lead is sent" .*: it holds/,
  ],
  'breaks fetch': [
    { code: `const { fetch } = window; window.fetch = () => Promise.reject(new Error('no'));` },
    /^replaces functions of the browser: window\.fetch/,
  ],
  'renames a field of a form': [
    { code: `document.querySelector('#form [name]').name = 'mail';` },
    /^breaks the journey of shell "a lead is sent" .*\{"mail":"Ada"\}, without the right name/,
  ],
  'takes an anchor from others': [
    { code: `document.getElementById('contact').removeAttribute('id');` },
    /^breaks the journey of shell "a link scrolls to the end" \(for a visitor with a window of 1280 px\), step 1 of 1 \(scrollsTo link "Contact" contact\): the page has no section "contact"/,
  ],
  'has a toggle that snaps back': [
    {
      code: `slot.addEventListener('change', ({ target }) => { setTimeout(() => { target.checked = false; }); });`,
    },
    /^breaks its own journey "yearly is chosen" .*: it is not chosen after it was pressed/,
  ],
  'throws when it is pressed': [
    { code: `slot.querySelector('button').addEventListener('click', () => { throw new Error('More'); });` },
    /^breaks its own journey "more is shown" .*causes an error: Error: More/,
  ],
  // What only some visitors see.
  'covers the page': [
    { markup: box('Sale'), css: sheet },
    /^covers or removes controls or headings of others: shell: h1/,
  ],
  'covers the page in some windows': [
    { markup: toggle + box('Sale'), css: `@media (600px < width < 1000px) { ${sheet} }` },
    /^covers or removes controls or headings of others: .* 768 px/,
  ],
  'covers the page once it is scrolled': [
    {
      code: `addEventListener('scroll', () => { if (scrollY > 600) slot.querySelector('h2').className = '${own}'; });`,
      css: sheet,
    },
    /^(?:covers or removes|has controls or headings|breaks|stops)/,
  ],
  'covers the page after three seconds': [
    { code: `setTimeout(() => { slot.querySelector('h2').className = '${own}'; }, 3000);`, css: sheet },
    /^covers or removes controls or headings of others: shell: h1/,
  ],
  'is invisible without reduced motion': [
    {
      markup: `<div class="${own}">${toggle}</div>`,
      css: `@media (prefers-reduced-motion: no-preference) { .${own} { opacity: 0 } }`,
    },
    /^has controls or headings that nobody can see or press: mf-pricing: h2 "Plans" by nothing/,
  ],
  'uses an API that Safari lacks': [
    { code: `requestIdleCallback(() => undefined);` },
    /^does not come to life .*requestIdleCallback is not defined.*768 px/,
  ],
  'reads the storage without a guard': [
    { code: `localStorage.getItem('plan');` },
    /^does not come to life .*The operation is insecure/,
  ],
  'works in some time zones only': [
    { code: `if (new Date(2026, 0).getTimezoneOffset() === -60) throw new Error('No such day');` },
    /^does not come to life in the live shell \(.*No such day\), for a visitor with .* the time of Berlin$/,
  ],
  'is wider than a phone': [
    { markup: box('Prices').replace(own, `${own}3`), css: `.${own}3 { width: 380px }` },
    /^does not fit into a window of 320 px: .*p "Prices" reaches/,
  ],
  'is too pale in the dark': [
    {
      markup: box('Hours').replace(own, `${own}2`),
      css: `@media (prefers-color-scheme: dark) { .${own}2 { background: #000; color: #222 } }`,
    },
    /^is less accessible than the live version: .* \(color-contrast\): .*the dark theme/,
  ],
  'has a button without a name': [
    { markup: '<button type="button"></button>' },
    /^is less accessible .*\(button-name\)/,
  ],
  'needs scripts': [
    { markup: '<p></p>', code: `slot.innerHTML = '';` },
    /^renders nothing: mf-pricing: \.\/first/,
  ],
  'is not printed': [
    { markup: `<div class="${own}">${toggle}</div>`, css: `@media print { .${own} { display: none } }` },
    /^prints nothing: mf-pricing: \.\/first/,
  ],
  'loads lazy code at once': [
    { code: load('lazy.js', heavyHash), extra: { 'lazy.js': `/* ${heavy} */` } },
    /^loads 4\d\.\d kB of script before it is used, more than its budget of 40 kB/,
  ],
  'loads an image of 3 MB': [
    {
      markup: `<p><img src="/mf-pricing/1.1.0/photo.png" alt="Office"></p>`,
      extra: { 'photo.png': randomBytes(3_000_000) },
    },
    /^loads 3000 kB of images and fonts before it is used/,
  ],
  // What browsers refuse, and what ends the page.
  'logs an error': [{ code: `console.error('No plans');` }, /^causes an error: No plans$/],
  'fails after it is shown': [
    { code: `setTimeout(() => Promise.reject(new Error('late')));` },
    /^causes an error: Error: late$/,
  ],
  'loads code without its hash': [
    { code: load('entry.js', '') },
    /^causes an error: .*(?:[Ii]ntegrity|script-src)/,
  ],
  'talks to others': [
    { code: `fetch('https://elsewhere.example/').catch(() => undefined);` },
    /^causes an error: .*Content Security Policy.*connect-src/,
  ],
  'evaluates text': [{ code: `eval('1');` }, /^does not come to life .*(?:Trusted|eval)/],
  'requests an unknown file': [
    { code: `fetch('/' + 'x'.repeat(300) + '/1/a').catch(() => undefined);` },
    /^requests \/x{250}/,
  ],
  'requests a file without end': [
    { code: `const request = () => void fetch('/').finally(request); request();` },
    /^requests the same again and again: \//,
  ],
  'leaves the page': [
    { code: `location.href = 'https://elsewhere.example/';` },
    /^leaves the page: https:\/\/elsewhere\.example\/$/,
  ],
  'reloads the page': [{ code: 'location.reload();' }, /^leaves the page: https:\/\/www\.example\.com\/$/],
  'opens a window': [{ code: `open('/');` }, /^opens a window$/],
  'shows a dialog': [{ code: `alert('Sale');` }, /^shows a dialog: Sale$/],
  'starts a download': [
    {
      code: `Object.assign(document.createElement('a'), { href: 'data:text/plain,x', download: 'x' }).click();`,
    },
    /^starts a download$/,
  ],
  'removes the page': [
    { code: `document.documentElement.remove();` },
    /^leaves a page that cannot be checked|^does not let/,
  ],
  'runs for ever': [{ code: 'for (;;);' }, /^(?:does not let the page open|stops the page)/],
  'fills the heap': [
    { code: 'const all = []; for (;;) all.push(new Array(1e6).fill(1.5));' },
    /^(?:crashes the page|does not let the page open)/,
  ],
};

/** A check takes seconds, so mistakes that do not hide each other are made in one version. */
const together: readonly (readonly (keyof typeof broken)[])[] = [
  [
    'leaves a scroll lock on body',
    'hides main from screen readers',
    'changes the title',
    'changes the language',
    'changes the viewport',
    'adds to the history',
    'overwrites the theme',
    'restyles another part',
    'breaks fetch',
    'fails after it is shown',
  ],
  [
    'leaves a scroll lock on html',
    'sets an anchor',
    'clears the storage',
    'removes another part',
    'logs an error',
    'loads code without its hash',
    'talks to others',
  ],
  [
    'scrolls into view as it starts',
    'takes an anchor from others',
    'has a toggle that snaps back',
    'throws when it is pressed',
  ],
  [
    'covers the page in some windows',
    'is wider than a phone',
    'is too pale in the dark',
    'has a button without a name',
    'loads lazy code at once',
    'loads an image of 3 MB',
  ],
  ['is invisible without reduced motion', 'is not printed'],
];

function merged(blocks: readonly Block[]): Block {
  return {
    markup: [...new Set(blocks.map(({ markup = toggle }) => markup))].join(''),
    code: blocks.map(({ code = '' }) => `{ ${code} }`).join(''),
    css: blocks.map(({ css = '' }) => css).join(''),
    extra: Object.assign({}, ...blocks.map(({ extra }) => extra)) as BuiltPart,
  };
}

const groups = [
  ...together,
  ...Object.keys(broken)
    .filter((what) => !together.flat().includes(what))
    .map((what) => [what]),
];

suite('check', { concurrency: 2 }, () => {
  for (const group of groups) {
    test(`a version is refused that ${group.join(', ')}`, async () => {
      const mistakes = group.flatMap((what) => (broken[what] ? [broken[what]] : []));
      const problems = await problemsOf(merged(mistakes.map(([block]) => block)));
      for (const [, expected] of mistakes) {
        assert(
          problems.some((problem) => expected.test(problem)),
          `${String(expected)} is not among:\n${problems.join('\n')}`,
        );
      }
    });
  }
});

test('check: a version that drops all of its journeys is refused', async () => {
  const built = compatibleRemote('mf-pricing', '1.1.0');
  const manifest = { ...JSON.parse(String(built['part.json'])), journeys: undefined };
  const [found] = await pageViolationsOf({ ...built, 'part.json': JSON.stringify(manifest) });
  assert.match(found ?? '', /^mf-pricing 1\.1\.0 drops all of its journeys/);
});

test('check: a live version that has lost its markup does not stop the version that mends it', async () => {
  const lose = ({ store }: TemporaryStore) =>
    store.objects.remove([`parts/mf-pricing/1.0.0/${fragmentFile('./first')}`]);
  assert.deepEqual(await pageViolationsOf(compatibleRemote('mf-pricing', '1.1.0'), lose), []);
});
