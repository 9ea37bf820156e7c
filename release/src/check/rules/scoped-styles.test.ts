import assert from 'node:assert/strict';
import { test } from 'node:test';
import postcss from 'postcss';
import { unscopedRules } from './scoped-styles.ts';

for (const [css, escape] of [
  ['body { margin: 0 }', 'body'],
  ['.first-module-part-Ab12_x a, a:hover { color: red }', 'a:hover'],
  ['body:has(.first-module-part-Ab12_x) { overflow: hidden }', 'body:has(.first-module-part-Ab12_x)'],
  ['._Ab12_x ~ * { color: red }', '._Ab12_x ~ *'],
  ['p:not([title="a+b"], ._Ab12_x:is(.other)) { color: red }', 'p:not([title="a+b"], ._Ab12_x:is(.other))'],
  ['@import "other.css";', '@import "other.css"'],
  ['@font-face { font-family: Own; src: url(own.woff2) }', '@font-face'],
  ['@keyframes fade { from { opacity: 0 } }', '@keyframes fade'],
  ['@media print { p { color: red } }', 'p'],
  ['._Ab12_x { body:has(&) footer { color: red } }', 'body:has(._Ab12_x) footer'],
  ['._Ab12_x { & + footer { color: red } }', '._Ab12_x + footer'],
  ['._Ab12_x { a, & ~ * { color: red } }', '._Ab12_x ~ *'],
  ['._Ab12_x { &:hover { + footer { color: red } } }', '._Ab12_x:hover + footer'],
  ['a ._Ab12_x { :not(&) { color: red } }', ':not(a ._Ab12_x)'],
  ['._Ab12_x { @media print { :where(&, p) { color: red } } }', ':where(._Ab12_x, p)'],
  ['._Ab12_x { @layer own { footer { color: red } } }', '@layer own'],
  ['._Ab12_x { @scope (body) { footer { color: red } } }', '@scope (body)'],
  ['& footer { color: red }', '& footer'],
] as const) {
  test(`scoped styles: "${css}" reaches beyond the part`, () => {
    assert.deepEqual(unscopedRules(postcss.parse(css)), [escape]);
  });
}

test('scoped styles: scoped rules are accepted, in any syntax', () => {
  const css = `[data-theme='dark'] .a-module-b-Ab12_x>p+p { color: red; & em { color: blue } }
    @media (width > 40rem) { ._Ab12_x:is(:hover, :focus) { color: red } }
    ._Ab12_x { :root & { color: red } > a, & p + p { color: red; & + b { color: blue } } .other& { color: red } }
    ._Ab12_x, p ._Ab12_y { @media print { color: red; &::before, & + & { color: blue } } }
    @supports (display: grid) { ._Ab12_x p + p { color: red } } @starting-style { ._Ab12_x { opacity: 0 } }
    @keyframes _fade-1 { from { opacity: 0 } 50% { opacity: 1 } }`;
  assert.deepEqual(unscopedRules(postcss.parse(css)), []);
});
