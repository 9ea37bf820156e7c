import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReleaser } from '../testing/releaser.ts';
import { failsWith, failsWithUsageError } from '../testing/run-release.ts';

test('sign-head: verify demands a recent head as soon as it has a key', async () => {
  await using releaser = await createReleaser();
  await releaser.site.release({ shell: '1.0.0' });
  const { privateKey, publicKey } = JSON.parse(
    (await releaser.run(['sign-head', '--new-key', '--json'])).stdout,
  );
  const verify = (...words: readonly string[]) =>
    releaser.run(['verify', ...words], { LOG_PUBLIC_KEYS: publicKey });
  assert.match((await verify()).stdout, / has no signed head of its log, .*\n.* log entries: 1 error\n$/);

  const { stdout } = await releaser.run(['sign-head'], { LOG_KEY: privateKey });
  const [, at] = /^entry 1 is the signed head of the log, of (\S+)\n$/.exec(stdout) ?? [];
  const verified = await verify();
  assert.match(
    verified.stdout,
    new RegExp(`^the signed head of the log is entry 1, of ${at}\\n.*all as published`),
  );
  assert.equal(verified.code, 0);
  assert.deepEqual(JSON.parse((await verify('--json')).stdout).head.sequence, 1);
  assert.equal((await verify('--head-age', '0.000001')).code, 1);
});

test('sign-head: a missing key, and settings that are no keys, are errors', async () => {
  await using releaser = await createReleaser();
  assert.deepEqual(
    await releaser.run(['sign-head']),
    failsWith(
      'LOG_KEY is missing. Set it to the key of the log; "npm run release -- sign-head --new-key" makes one.',
    ),
  );
  const { stderr } = await releaser.run(['verify'], { LOG_KEY: 'x', LOG_PUBLIC_KEYS: 'y' });
  assert.match(
    stderr,
    /^LOG_KEY is not a private key for the log\. .* LOG_PUBLIC_KEYS must list public keys, /,
  );
  assert.deepEqual(
    await releaser.run(['verify', '--head-age', '60']),
    failsWith('LOG_PUBLIC_KEYS is missing, so no head of the log can be verified. Set it.'),
  );
  assert.deepEqual(
    await releaser.run(['verify', '--head-age', '0']),
    failsWithUsageError('--head-age must be a number above 0, but is "0".'),
  );
});
