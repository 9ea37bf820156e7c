import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { basicCharacters, basicFontFile, cutBasicFont } from './basic-font.ts';

test('basic font: the file has the characters of its unicode-range', async () => {
  assert.match(basicCharacters(), /^ !"#.*[A-Z].*[a-z].*~.*©.*–/);
  const isCurrent = readFileSync(basicFontFile).equals(await cutBasicFont());
  assert(isCurrent, 'Run "node packages/design-tokens/src/basic-font.ts" and commit figtree-basic.woff2.');
});
