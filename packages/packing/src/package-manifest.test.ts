import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packedManifest } from './package-manifest.ts';

const manifest = {
  name: 'sample',
  version: '1.0.0',
  license: 'MIT',
  private: true,
  exports: { '.': './src/sample.tsx', './style': { types: './src/style.d.ts' } },
  bin: { sample: './src/main.ts' },
  dependencies: { zod: '4.6.7' },
};

test('packed manifest: names JavaScript and declarations', () => {
  assert.deepEqual(packedManifest(manifest), {
    name: 'sample',
    version: '1.0.0',
    license: 'MIT',
    exports: {
      '.': { types: './src/sample.d.ts', default: './src/sample.js' },
      './style': { types: './src/style.d.ts' },
    },
    bin: { sample: './src/main.js' },
    dependencies: { zod: '4.6.7' },
  });
});

test('packed manifest: a dependency range or a missing licence is refused', () => {
  assert.throws(() => packedManifest({ ...manifest, dependencies: { zod: '^4.0.0' } }), {
    message: 'sample depends on zod "^4.0.0". Pin an exact version.',
  });
  assert.throws(() => packedManifest({ name: 'sample', version: '1.0.0', exports: {} }), {
    message: 'sample has no "license". Add it to its package.json.',
  });
});
