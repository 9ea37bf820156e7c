import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unscopedRules } from './unscoped-rules.ts';

for (const [css, escape] of [
  ['body { margin: 0 }', 'body'],
  ['.first-module-part-Ab12_x a, a:hover { color: red }', 'a:hover'],
  [':root { --color: red }', ':root'],
  ['body:has(.first-module-part-Ab12_x) { overflow: hidden }', 'body:has(.first-module-part-Ab12_x)'],
  ['@import "other.css";', '@import "other.css"'],
  ['@font-face { font-family: Own; src: url(own.woff2) }', '@font-face'],
  ['@keyframes fade { from { opacity: 0 } }', '@keyframes fade'],
  ['@media print { p { color: red } }', 'p'],
  ['._Ab12_x { :root:has(&) form { visibility: hidden } }', ':root:has(&) form'],
  ['._Ab12_x { :not(&) { color: red } }', ':not(&)'],
  ['._Ab12_x { html &, & + h2 { color: red } }', '& + h2'],
  ['._Ab12_x { ~ p { color: red } }', '~ p'],
  ['._Ab12_x { @media print { & ~ * { color: red } } }', '& ~ *'],
  ['._Ab12_x { > p { :is(&, body) { color: red } } }', ':is(&, body)'],
  ['._Ab12_x ~ * { color: red }', '._Ab12_x ~ *'],
  ['& { color: red }', '&'],
  ['._Ab12_x::after { content: "\n} body { margin: 0 } p { content: "}', 'a string with a line break'],
  ["._Ab12_x[a='\n] {} body {} ._Ab12_x[b='] {}", 'a string with a line break'],
  [String.raw`._Ab12_x { a: u\72l(x"y); } h2 {} ._Ab12_y { b: ")}`, String.raw`u\72l(x"y)`],
  [String.raw`._Ab12_x { a: u\72l(/*); } h2 {} /**/)}`, String.raw`u\72l(/*)`],
  [String.raw`._Ab12_x { a: u\72l("y") }`, String.raw`u\72l(`],
  ['@IMPORT "other.css";', '@IMPORT "other.css"'],
  ['@view-transition { navigation: auto }', '@view-transition'],
  ['@font-palette-values --own { font-family: Own }', '@font-palette-values --own'],
  ['@position-try --own { top: 0 }', '@position-try --own'],
  ['@layer reset { ._Ab12_x { color: red } }', '@layer reset'],
] as const) {
  test(`scoped styles: "${css}" reaches beyond the part`, () => {
    assert.deepEqual(unscopedRules(css), [escape]);
  });
}

test('scoped styles: scoped rules are accepted, in any syntax', () => {
  const css = `[data-theme='dark'] .a-module-b-Ab12_x > p { color: red; & em { color: blue } }
    @media (width > 40rem) { ._Ab12_x:is(:hover, :focus) { color: red } }
    ._Ab12_x { color: red; &:hover, .dark & { color: blue; > p ~ p { color: red } } }
    ._Ab12_x { @container (width > 20rem) { svg + span, & & ~ ._Ab12_y { content: "a\\\nb" } } }
    ._Ab12_x { mask: url(a.png), url( b.png ), url("x;(y)"), URL(data:image/png;base64,a/b+c==) }
    @supports (display: grid) { ._Ab12_x p + p { color: red } } @starting-style { ._Ab12_x { opacity: 0 } }
    @keyframes _fade-1 { from { opacity: 0 } 50% { opacity: 1 } }`;
  assert.deepEqual(unscopedRules(css), []);
});
