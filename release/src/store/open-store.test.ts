import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReleaser } from '../testing/releaser.ts';
import { refuses } from '../testing/run-release.ts';

test('a bucket cannot be served from here, and serve says what to do', async () => {
  await using releaser = await createReleaser();
  assert.deepEqual(
    await releaser.run(['serve'], { STORE_URL: 's3://releases/site' }),
    refuses(
      'A site is served here from a folder only, and STORE_URL names a bucket. Remove STORE_URL, or put a web server or CDN in front of the bucket.',
    ),
  );
});

test('a bucket that cannot be reached is said in a sentence, with the reason and what to check', async () => {
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
    /^s3:\/\/releases\/site\/ does not do what it is asked \(.*ECONNREFUSED.*\)\. Check STORE_URL, .*\n$/,
  );
});
