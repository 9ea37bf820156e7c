import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { basicCharacters, basicFontFile, cutBasicFont } from './basic-font.ts';

test('basic font: the file has the characters of its unicode-range', async () => {
  assert.match(basicCharacters(), /^ !"#.*[A-Z].*[a-z].*~.*©.*–/);
  const isCurrent = readFileSync(basicFontFile).equals(await cutBasicFont());
  assert(isCurrent, 'Run "npm run font -w packages/design-tokens" and commit figtree-basic.woff2.');
});
