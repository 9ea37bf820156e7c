import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDirectoryStore } from './open-store.ts';

test('start: a bucket is refused with a next step', () => {
  assert.throws(() => openDirectoryStore({ kind: 's3', bucket: 'releases', prefix: '' }), {
    message:
      'STORE_URL names a bucket, but npm start releases into a folder. Remove STORE_URL, or serve the bucket: npm run release -- serve.',
  });
});
