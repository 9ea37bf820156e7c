import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fragmentFile } from '@countersign/contracts/fragment';
import { compatibleRemote } from '../testing/compatible-part.ts';
import type { TemporaryStore } from '../testing/temporary-store.ts';
import {
  own,
  violationsWith,
  remoteWith,
  toggle,
  type Component,
  type WholeComponent,
} from '../testing/version-with-components.ts';
import { pageViolationsOf } from '../testing/violations-of.ts';

const soundComponents = (folder: string): Readonly<Record<string, Component>> => ({
  'a counter that never ends': {
    markup: '<p><output>0</output></p>',
    code: `let count = 0; setInterval(() => { slot.querySelector('output').textContent = String(count += 1); }, 50);`,
  },
  'a typewriter': {
    markup: '<p><em>S</em></p>',
    code: `const text = 'Sign in order, and keep a record of it. '.repeat(2);
      const type = (length) => { slot.querySelector('em').textContent = text.slice(0, length); if (length < text.length) setTimeout(type, 60, length + 1); };
      type(1);`,
  },
  'fields that are named like properties of a form': {
    markup: `<form>${['children', 'matches', 'contains', 'attributes', 'textContent', 'nodeName', 'closest']
      .map((name) => `<p><label>${name} <input name="${name}"></label></p>`)
      .join('')}</form>`,
  },
  'links to the page, to what is in it, and to a file': {
    markup: `<p><a href="#contact">Contact</a> <a href="/${folder}/terms.txt">Terms</a> <a href="/">Home</a></p>`,
    code: `slot.querySelector('[href="/"]').addEventListener('click', (event) => event.preventDefault());`,
    extra: { 'terms.txt': 'Sign in order.' },
  },
  'an image of 150 kB': {
    markup: `<p><img src="/${folder}/photo.svg" alt="Our office" width="224" height="224"></p>`,
    extra: { 'photo.svg': `<svg xmlns="http://www.w3.org/2000/svg"><!-- ${'x'.repeat(150_000)} --></svg>` },
  },
});

/** A version whose component has much that others can take away. */
const liveComponent: WholeComponent = {
  markup: `<div><h2>Plans</h2><ul><li>One for a person</li><li>${'One for a team. '.repeat(20)}</li></ul>
    <pre aria-label="Sample">sign --in-order</pre><p><a href="#contact">Ask us</a></p></div><p class="${own}">Up</p>${toggle}`,
  css: `.${own} { position: fixed; right: 0; bottom: 0 }`,
};
const livePart = remoteWith('mf-pricing', '1.0.1', [liveComponent]);
const change = (...changes: readonly (readonly [string, string])[]): WholeComponent => ({
  ...liveComponent,
  markup: changes.reduce((markup, [from, to]) => markup.replace(from, to), liveComponent.markup ?? ''),
});

test('compared versions: harmless differences pass', async () => {
  const sound = soundComponents('mf-pricing/1.1.0');
  const other = remoteWith('mf-leads', '1.0.0', Object.values(soundComponents('mf-leads/1.0.0')));
  assert.deepEqual(await violationsWith(['', ...Object.values(sound)], other), []);
});

test('compared versions: other words, another card, a hidden one, and a removed link pass', async () => {
  const component = change(
    ['Plans', 'Prices'],
    ['</ul>', '<li hidden="">One for a company</li></ul>'],
    ['<p><a href="#contact">Ask us</a></p>', '<p>Ask us</p>'],
  );
  assert.deepEqual(await violationsWith([component], livePart), []);
});

test('compared versions: one that takes away what the live one shows is refused', async () => {
  const component = change(
    ['<ul>', '<ul hidden="">'],
    [' href="#contact"', ''],
    [' aria-label="Sample"', ''],
  );
  assert.deepEqual(await violationsWith([{ ...component, css: '' }], livePart), [
    'takes the address from links: mf-pricing: a "Ask us"',
    'hides: mf-pricing: ul "One for a personOne for a team. One for "',
    'shows less than half of the text of: mf-pricing: ./first',
    'no longer keeps in the window as it scrolls: mf-pricing: p',
    'changes or removes labels: mf-pricing: pre "sign --in-order", whose label is "Sample"',
  ]);
  assert.deepEqual(await violationsWith([change(['"Sample"', '"Simple"'])], livePart), [
    'changes or removes labels: mf-pricing: pre "sign --in-order", whose label is "Sample"',
  ]);
  assert.deepEqual(
    await violationsWith(
      [change([/<ul>.*?<\/p>/s.exec(liveComponent.markup ?? '')?.[0] ?? '', ''])],
      livePart,
    ),
    ['shows less than half of the text of: mf-pricing: ./first'],
  );
});

test('compared versions: one that changes the order of the slots is refused', async () => {
  const code = `slot.before(document.querySelector('[data-remote=mf-leads]'));`;
  assert.deepEqual(await violationsWith([code], compatibleRemote('mf-leads', '1.0.0')), [
    'no longer shows in this order: mf-pricing: ./first before mf-leads: ./first',
  ]);
});

test('compared versions: a live one without its markup stops no version that mends it', async () => {
  const damage = ({ objects }: TemporaryStore) =>
    objects.remove([`parts/mf-pricing/1.0.0/${fragmentFile('./first')}`]);
  assert.deepEqual(await pageViolationsOf(compatibleRemote('mf-pricing', '1.1.0'), { damage }), []);
});
