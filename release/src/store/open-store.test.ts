import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReleaser } from '../testing/releaser.ts';
import { openDirectoryStore } from './open-store.ts';

test('start: a bucket is refused with a next step', () => {
  assert.throws(() => openDirectoryStore({ kind: 's3', bucket: 'releases', prefix: '' }), {
    message:
      'STORE_URL names a bucket, but npm start releases into a folder. Remove STORE_URL, or serve the bucket: npm run release -- serve.',
  });
});

test('bucket: an unreachable server is an error with the reason', async () => {
  await using releaser = await createReleaser();
  const { code, stderr } = await releaser.run(['status'], {
    STORE_URL: 's3://releases/site',
    S3_ENDPOINT: 'http://127.0.0.1:9',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
  });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^A request to s3:\/\/releases\/site\/ failed \(.*ECONNREFUSED.*\)\. Check STORE_URL, .*\n$/,
  );
});
