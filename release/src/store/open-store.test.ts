import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReleaser } from '../testing/releaser.ts';
import { failsWith } from '../testing/run-release.ts';

test('serve: a bucket is refused with a next step', async () => {
  await using releaser = await createReleaser();
  assert.deepEqual(
    await releaser.run(['serve'], { STORE_URL: 's3://releases/site' }),
    failsWith(
      'STORE_URL names a bucket, but this command serves a directory only. Remove STORE_URL, or put a web server or CDN in front of the bucket.',
    ),
  );
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
