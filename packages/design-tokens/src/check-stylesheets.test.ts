import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokens, tokensStylesheet } from './tokens.ts';
import { unknownCustomProperties } from './check-stylesheets.ts';

test('custom properties: a misspelt token is reported with its line', () => {
  const stylesheet = '.card {\n  color: var(--color-txt);\n}\n';
  assert.deepEqual(unknownCustomProperties(stylesheet), [{ name: 'color-txt', line: 2 }]);
});

test('custom properties: tokens, local ones and those of Radix are known', () => {
  const stylesheet =
    '.a { --angle: 3deg; rotate: var(--angle); color: var(--color-text); x: var(--radix-y) }';
  assert.deepEqual(unknownCustomProperties(stylesheet), []);
});

test('tokens: every colour has a dark value', () => {
  const [, dark = ''] = tokensStylesheet().split('data-theme=dark');
  const colours = Object.keys(tokens).filter((token) => token.startsWith('color-'));
  assert.notEqual(colours.length, 0);
  for (const name of colours) {
    assert.match(dark, new RegExp(`--${name}:`));
  }
});
