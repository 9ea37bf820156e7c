import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalMarkup, checkFragment } from './check-fragment.ts';

const source = { remote: 'mf-pricing', exposed: './pricing' } as const;

test('fragment check: canonical markup with ids of its own is valid', () => {
  const markup = canonicalMarkup(
    `<section id=pricing><h2 id="_mf-pricing-pricing-R_0_">Plans<p>a<table><tr><td>b</table>
      <svg viewBox="0 0 1 1"><path fill=none></svg><a href="#contact">Contact</a>`,
  );
  assert.deepEqual(checkFragment(markup, source), []);
  assert.equal(canonicalMarkup(markup), markup);
});

for (const [what, markup, message] of [
  [
    'a script',
    '<p>a</p><script>alert(1)</script>',
    /line 1, column 9, <script>: this element is not allowed/,
  ],
  ['a style element', '<style>*{display:none}</style>', /<style>: this element is not allowed/],
  ['an event attribute', '<p onclick="alert(1)">a</p>', /onclick runs code/],
  ['an inline style', '<p style="color:red">a</p>', /refuses inline styles/],
  ['an id of the page', '<p id="root">a</p>', /may belong to another fragment/],
  ['a section of another part', '<p id="contact">a</p>', /may belong to another fragment/],
  ['an id that occurs twice', '<p id="pricing">a</p><p id="pricing">b</p>', /occurs twice/],
  ['an unclosed element', '<div><p>a</p>', /could swallow what follows/],
] as const) {
  test(`fragment check: ${what} is refused`, () => {
    assert.match(checkFragment(markup, source).join('\n'), message);
  });
}
