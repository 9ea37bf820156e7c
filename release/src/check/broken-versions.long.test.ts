import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { fragmentFile } from '@countersign/contracts/fragment';
import { integrityOf } from '../store/file-hash.ts';
import type { BuiltPart } from '../testing/built-part.ts';
import { compatibleRemote } from '../testing/compatible-part.ts';
import type { TemporaryStore } from '../testing/temporary-store.ts';
import { pageViolationsOf } from '../testing/violations-of.ts';

interface Block {
  /** Its fragment. */
  readonly markup?: string;
  /** Body of the function that gets its slot as `slot`. */
  readonly code?: string;
  /** Styles of its class, and of another one inside it. */
  readonly css?: (own: string, inner: string) => string;
  readonly extra?: BuiltPart;
}

const [own, inner] = ['first-module-mf-pricing-Ab12_x', 'first-module-mf-pricing-Ab12_y'];

function version({ markup = '<p>Prices</p>', code = '', css = () => '', extra = {} }: Block) {
  return compatibleRemote('mf-pricing', '1.1.0', {
    extra: {
      [fragmentFile('./first')]: markup,
      'entry.js': `window['mf-pricing@1.1.0'] = (slot) => { ${code} };`,
      'exposed.css': css(`.${own}`, `.${inner}`),
      ...extra,
    },
  });
}

/** What the check says about a version, without its name and the remedy that all have. */
async function problemsOf(block: Block): Promise<readonly string[]> {
  const violations = await pageViolationsOf(version(block));
  return violations.map((violation) => {
    const [, problem] =
      /^mf-pricing 1\.1\.0 (.*)\. Put it right and publish it under a new version\.$/.exec(violation) ?? [];
    return problem ?? violation;
  });
}

const onPhone = ', for a visitor with a window of 320 px, the dark theme, German, and the time of Kiritimati';
/** Text that cannot be compressed. */
const heavy = Array.from({ length: 1400 }, (_, index) =>
  createHash('sha256').update(`${index}`).digest('base64'),
).join('');
const heavyHash = integrityOf(new TextEncoder().encode(`/* ${heavy} */`));

const broken: Readonly<Record<string, readonly [Block, ...RegExp[]]>> = {
  'that covers the page': [
    {
      markup: `<p class="${own}">Sale</p>`,
      css: (block) => `${block} { position: fixed; inset: 0; z-index: 9 }`,
    },
    /^has or causes dead controls: a "Contact" of shell is under p of mf-pricing$/,
  ],
  'whose button is covered': [
    {
      markup: `<div class="${own}"><button type="button">Buy</button><span class="${inner}"></span></div>`,
      css: (block, cover) => `${block} { position: relative } ${cover} { position: absolute; inset: 0 }`,
    },
    /^has or causes dead controls: button "Buy" of mf-pricing is under span of mf-pricing$/,
  ],
  'that fails after it is shown': [
    { code: `setTimeout(() => Promise.reject(new Error('late')));` },
    /^causes an error: Error: late$/,
  ],
  'that logs an error': [{ code: `console.error('No plans');` }, /^causes an error: No plans$/],
  'that works in some time zones only': [
    { code: `if (new Date(2026, 0).getTimezoneOffset() < 0) throw new Error('No such day');` },
    new RegExp(`^does not come to life in the live shell \\(Error: No such day\\)${onPhone}$`),
  ],
  'that is wider than a phone': [
    { markup: `<p class="${own}">Prices</p>`, css: (block) => `${block} { width: 600px }` },
    new RegExp(`^does not fit into a window of 320 px: p "Prices" reaches from 0 to 600 px$`),
  ],
  'with a long word': [
    { markup: `<p>${'price'.repeat(30)}</p>` },
    /^does not fit into a window of 320 px: (?:p|the page) /,
  ],
  'with a button without a name': [
    { markup: '<p>Prices</p><button type="button"></button>' },
    /^is less accessible than the live version: Buttons must have discernible text \(button-name\)/,
  ],
  'that is too pale in the dark': [
    {
      markup: `<p class="${own}">Prices</p>`,
      css: (block) => `@media (prefers-color-scheme: dark) { ${block} { background: #000; color: #222 } }`,
    },
    /^is less accessible than the live version: .* \(color-contrast\): .*the dark theme/,
  ],
  'that changes another part': [
    { code: `document.querySelector('h1').style.color = 'red';` },
    /^changes what is not its own: h1 "Sample" of shell$/,
  ],
  'that removes another part': [
    { code: `document.getElementById('contact').remove();` },
    /^removes what is not its own: p "The end" of shell$/,
  ],
  'that rewrites another part': [
    { code: `document.querySelector('a').href = '#attacts';` },
    /^changes what is not its own: a "Contact" of shell$/,
  ],
  'that logs an error in secret': [
    {
      code: `const { error } = console; console.error = () => undefined; error('No plans'); console.error('No plans');`,
    },
    /^causes an error: No plans$/,
  ],
  'that leaves its slot': [
    { code: `document.body.append(Object.assign(document.createElement('p'), { textContent: 'Sale' }));` },
    /^adds an element outside of its blocks: p "Sale" of shell$/,
  ],
  'that removes the page': [
    { code: `document.documentElement.remove();` },
    /^leaves a page that cannot be checked \(TypeError: /,
  ],
  'that covers the page after three seconds': [
    {
      code: `setTimeout(() => slot.replaceChildren(Object.assign(document.createElement('p'), { className: '${own}', textContent: 'Sale' })), 3000);`,
      css: (block) => `${block} { position: fixed; inset: 0; z-index: 9 }`,
    },
    /^has or causes dead controls: a "Contact" of shell is under p of mf-pricing$/,
  ],
  'that needs scripts': [
    { markup: '<p></p>', code: `slot.textContent = 'Prices';` },
    /^shows nothing of \.\/first to visitors without scripts/,
  ],
  'that breaks in a translated page': [
    { code: `slot.textContent = slot.querySelector('p').firstChild.data.toUpperCase();` },
    /^does not come to life in the live shell \(TypeError: .*\), for a visitor with a translator$/,
  ],
  'that loads lazy code at once': [
    {
      code: `const script = document.createElement('script');
        const policy = trustedTypes.createPolicy('mf-pricing@1.1.0', { createScriptURL: (url) => url });
        Object.assign(script, { crossOrigin: 'anonymous', integrity: '${heavyHash}' });
        script.src = policy.createScriptURL('/mf-pricing/1.1.0/lazy.js');
        document.head.append(script);`,
      extra: { 'lazy.js': `/* ${heavy} */` },
    },
    /^loads 4\d\.\d kB of script before it is used, more than its budget of 40 kB/,
  ],
};

for (const [what, [block, ...expected]] of Object.entries(broken)) {
  test(`page: a version ${what} is refused`, async () => {
    const problems = await problemsOf(block);
    assert.equal(problems.length, expected.length, problems.join('\n'));
    for (const [index, pattern] of expected.entries()) assert.match(problems[index] ?? '', pattern);
  });
}

test('page: a live version that has lost its markup does not stop the version that mends it', async () => {
  const lose = ({ store }: TemporaryStore) =>
    store.objects.remove([`parts/mf-pricing/1.0.0/${fragmentFile('./first')}`]);
  assert.deepEqual(await pageViolationsOf(version({}), lose), []);
});

const hostile: Readonly<Record<string, readonly [code: string, expected: RegExp]>> = {
  'runs for ever': ['for (;;);', /^stops the page: it does not answer for 20 s$/],
  'fills the heap': [
    'const all = []; for (;;) all.push(new Array(1e6).fill(1.5));',
    /^crashes the page, or needs too much memory$/,
  ],
  'fills buffers': [
    'const all = []; for (;;) all.push(new Uint8Array(1e8).fill(1));',
    /^crashes the page|Array buffer allocation failed/,
  ],
  'starts a download': [
    `Object.assign(document.createElement('a'), { href: 'data:text/plain,x', download: 'x' }).click();`,
    /^starts a download$/,
  ],
  'opens a window': [`open('/');`, /^opens a window$/],
  'shows a dialog': [`alert('Sale');`, /^shows a dialog: Sale$/],
  'registers a service worker': [
    `const policy = trustedTypes.createPolicy('mf-pricing@1.1.0', { createScriptURL: (url) => url });
     navigator.serviceWorker.register(policy.createScriptURL('/mf-pricing/1.1.0/entry.js'));`,
    /^registers a service worker$/,
  ],
  'leaves the page': [
    `location.href = 'https://elsewhere.example/';`,
    /^leaves the page for https:\/\/elsewhere\.example\/$/,
  ],
  'reloads the page': ['location.reload();', /^leaves the page for https:\/\/www\.example\.com\/$/],
  'talks to others': [
    `fetch('https://elsewhere.example/').catch(() => undefined);`,
    /refuse under the page's policy: https:\/\/elsewhere\.example\/ \(against the policy's connect-src\)$/,
  ],
  'talks to others in secret': [
    `addEventListener('securitypolicyviolation', (event) => event.stopImmediatePropagation(), true);
     fetch('https://elsewhere.example/').catch(() => undefined);`,
    /refuse under the page's policy: https:\/\/elsewhere\.example\/ \(against the policy's connect-src\)$/,
  ],
  'puts a script into the page': [
    `document.head.append(Object.assign(document.createElement('script'), { textContent: 'globalThis.x = 1' }));`,
    /refuse under the page's policy: /,
  ],
  'evaluates text': [
    `eval('1');`,
    /refuse under the page's policy: eval\|1 \(set without a Trusted Types policy\)$/,
  ],
  'uses a foreign policy': [
    `trustedTypes.createPolicy('foreign', {});`,
    /refuse under the page's policy: .*\(a Trusted Types policy that is not its own\)$/,
  ],
  'asks for a name that no store can have': [
    `fetch('/' + 'x'.repeat(300) + '/1/a').catch(() => undefined);`,
    /^requests \/x{250}/,
  ],
  'is blank and replaces built-ins': [
    `Array.prototype.map = () => []; Array.prototype.some = () => false; JSON.stringify = () => 'no';
     Element.prototype.getAttribute = () => 'forged'; document.querySelectorAll = () => []; slot.textContent = '';`,
    /^renders nothing$/,
  ],
};

for (const [what, [code, expected]] of Object.entries(hostile)) {
  test(`page: a hostile version that ${what} is refused`, async () => {
    const [problem = '', ...others] = await problemsOf({ code });
    assert.match(problem, expected);
    assert.deepEqual(others, []);
  });
}
