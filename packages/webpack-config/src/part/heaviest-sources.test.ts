import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heaviestSources } from './heaviest-sources.ts';

test('heaviest sources: characters count for the package, the folder or the bundler they come from', () => {
  const map = JSON.stringify({
    version: 3,
    sources: [
      'webpack://part@1.0.0/../node_modules/zod/v4/core.js',
      'webpack://part@1.0.0/../node_modules/a/node_modules/@radix-ui/react-menu/index.mjs',
      'webpack://part@1.0.0/./src/forms/button.tsx',
      'webpack://part@1.0.0/../packages/contracts/src/lead.ts',
      'webpack://part@1.0.0/webpack/bootstrap',
    ],
    names: [],
    // Mappings at columns 0, 40, 60, 70 and 75 of line 1 and column 0 of line 2, each with another source.
    mappings: 'AAAA,wCCAA,oBCAA,UCAA,KCAA;AJAA',
  });
  const text = `${'x'.repeat(80)}\n${'y'.repeat(20)}`;
  assert.deepEqual(heaviestSources([{ text, map }]), [
    { source: 'zod', share: 0.5941 },
    { source: '@radix-ui/*', share: 0.198 },
    { source: 'src/forms', share: 0.099 },
    { source: 'packages/contracts', share: 0.0495 },
    { source: 'the bundler', share: 0.0495 },
  ]);
});

test('heaviest sources: code without a source counts towards the total alone', () => {
  const map = JSON.stringify({ version: 3, sources: ['./src/a.ts'], names: [], mappings: 'A,UAAA' });
  assert.deepEqual(heaviestSources([{ text: 'x'.repeat(20), map }]), [{ source: 'src/a.ts', share: 0.5 }]);
});
