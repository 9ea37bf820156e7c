import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalMarkup, checkFragment } from './check-fragment.ts';

const source = { remote: 'mf-pricing', exposed: './pricing' } as const;

test('fragment check: text, lists, tables, drawings, a form and links of the page are allowed', () => {
  const markup = canonicalMarkup(
    `<section id="pricing" class="a" aria-labelledby="_mf-pricing-pricing-R_0_">
      <h2 id="_mf-pricing-pricing-R_0_">Plans</h2><!-- -->
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M20 6 9 17l-5-5"></path></svg>
      <svg><g fill="none" stroke="currentColor" color="#1a2b3c" clip-path="url(#a-1)"></g></svg>
      <svg><g fill="rgb(0 0 0 / 50%)" stroke="oklch(0.5 0.1 20deg)" mask="url('#a')"><stop stop-color="red"></stop></g></svg>
      <svg><g fill="var(--brand)" stroke="hsl(var(--primary) / 0.5)" color="color-mix(in srgb, var(--a) 40%, #fff)"></g></svg>
      <svg><g fill="context-fill" stroke="context-stroke"></g></svg>
      <img src="/mf-pricing/logo@2x.png" srcset="/mf-pricing/a.png?v=1.2_b-3 1x">
      <img src="/mf-pricing/1.0.0/a.png" srcset="/mf-pricing/1.0.0/a.png 1x, /mf-pricing/1.0.0/b.png 2x">
      <a href="#contact">Contact</a> <a href="https://app-host.invalid/login">Sign In</a>
      <form method="post" action="/api/contact" novalidate><input name="email" autocomplete="email"></form>
      <table><tbody><tr><th scope="row">Shares</th><td>3</td></tr></tbody></table>
    </section>`,
  );
  assert.deepEqual(checkFragment(markup, source), []);
});

const refused: readonly (readonly [what: string, markup: string, message: RegExp])[] = [
  [
    'a script',
    '<p>a</p><script>alert(1)</script>',
    /line 1, column 9, <script>: this element is not allowed/,
  ],
  ['a style element', '<style>*{display:none}</style>', /<style>: this element is not allowed/],
  ['a frame', '<iframe src="/"></iframe>', /<iframe>/],
  ['a base', '<base href="/mf-pricing/">', /<base>/],
  ['a redirect', '<meta http-equiv="refresh" content="0">', /<meta>/],
  ['a template', '<template><p>a</p></template>', /<template>/],
  ['foreign markup in a drawing', '<svg><foreignObject></foreignObject></svg>', /<foreignObject>/],
  ['an animation of a link', '<svg><animate attributeName="href"></animate></svg>', /<animate>/],
  ['an event attribute', '<p onclick="alert(1)">a</p>', /onclick runs code/],
  ['an inline style', '<p style="color:red">a</p>', /refuses inline styles/],
  ['a link to another site', '<a href="https://evil.example/">a</a>', /leads to another site/],
  ['a link without a scheme to another site', '<a href="//evil.example/">a</a>', /leads to another site/],
  ['a link with a backslash', '<a href="/\\evil.example/">a</a>', /leads to another site/],
  [
    'a link to a similar host',
    '<a href="https://app-host.invalid.evil.example/">a</a>',
    /leads to another site/,
  ],
  ['a link that runs code', '<a href="javascript:alert(1)">a</a>', /leads to another site/],
  ['a link in SVG', '<svg><a xlink:href="#x"></a></svg>', /xlink:href is not allowed/],
  [
    'a form that is sent to another site',
    '<form action="https://evil.example/"></form>',
    /the form is sent to/,
  ],
  [
    'a button that redirects its form',
    '<button formaction="https://evil.example/">a</button>',
    /formaction is not allowed/,
  ],
  ['a picture of another site', '<img src="https://evil.example/a.png">', /is not a file of this part/],
  [
    'a drawing that loads a file',
    '<svg><path fill="url(https://evil.example/#a)"></path></svg>',
    /may load a file/,
  ],
  [
    'a drawing with an escaped url()',
    '<svg><path fill="u\\72l(https://evil.example/a)"></path></svg>',
    /may load a file/,
  ],
  ...[
    'image-set("a.png" 1x)',
    'src("a.png")',
    'url(#a) url(a.png)',
    'element(#a)',
    'rgb(0 0 0) url(a)',
    'var(--a, url(a.png))',
    'color-mix(in srgb, url(a), red)',
    'rgb(image-set("a.png" 1x))',
    'var(--a) url(a)',
  ].map(
    (value) =>
      [
        `a drawing with ${value}`,
        canonicalMarkup(`<svg><path mask='${value}'></path></svg>`),
        /may load a file/,
      ] as const,
  ),
  [
    'a picture behind an escaped folder',
    '<img src="/mf-pricing/%2e%2e/mf-leads/a.png">',
    /is not a file of this part/,
  ],
  [
    'a picture behind a folder',
    '<img srcset="/mf-pricing/1.0.0/a.png 1x, /mf-pricing/../a.png 2x">',
    /is not a file of/,
  ],
  ['a picture with another query', '<img src="/mf-pricing/a.png?next=//b">', /is not a file of this part/],
  ['a picture with a user', '<img src="//mf-pricing@evil.example/a.png">', /is not a file of this part/],
  ['an id of the page', '<p id="root">a</p>', /may belong to another fragment/],
  ['a section of another part', '<p id="contact">a</p>', /may belong to another fragment/],
  [
    'an id of another fragment',
    '<p id="_mf-leads-call-to-action-R_0_">a</p>',
    /may belong to another fragment/,
  ],
  ['an id that occurs twice', '<p id="pricing">a</p><p id="pricing">b</p>', /occurs twice/],
  ['a name that hides a property of the document', '<img name="currentScript">', /on form controls only/],
  ['a mark of a slot', '<div data-remote="mf-leads">a</div>', /data-remote is not allowed/],
  ['an unclosed element', '<div><p>a</p>', /could swallow what follows/],
  ['an end tag too many', '<p>a</p></div>', /could swallow what follows/],
  ['an unclosed comment', '<p>a</p><!-- ', /could swallow what follows/],
  ['an unclosed attribute', '<p>a</p><a title="', /could swallow what follows/],
];

for (const [what, markup, message] of refused) {
  test(`fragment check: ${what} is refused`, () => {
    assert.match(checkFragment(markup, source).join('\n'), message);
  });
}

test('fragment check: the canonical form of canonical markup is the same', () => {
  const markup = canonicalMarkup('<p>a<div>b<table>c<tr><td>d</table><svg><P>e');
  assert.equal(canonicalMarkup(markup), markup);
});
