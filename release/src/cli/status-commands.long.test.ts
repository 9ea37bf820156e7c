import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deployRelease } from '../deploy/deploy-release.ts';
import { compatibleRemote, compatibleShell } from '../testing/compatible-part.ts';
import { createReleaser } from '../testing/run-release.ts';
import { startStubService } from '../testing/stub-service.ts';
import { sampleSiteConfig } from '../testing/temporary-store.ts';

test('status: --site says what the site does not show, and --verify what is damaged', async () => {
  let shown = 'an older page';
  await using service = await startStubService((_request, response) => response.end(shown));
  const SITE_ORIGIN = service.origin;
  await using releaser = await createReleaser();
  await releaser.publish(compatibleShell('1.0.0'));
  await releaser.run(['promote', 'shell', '1.0.0'], { SITE_ORIGIN });
  const { code, stdout } = await releaser.run(['status', '--site']);
  assert.equal(code, 1);
  assert.match(stdout, /does not show release r-\w+, which is live\. Read the log of its site server/);
  shown = /r-\w+/.exec(stdout)?.[0] ?? '';
  const verified = await releaser.run(['status', '--verify', '--site']);
  assert.deepEqual([verified.code, verified.stderr], [0, '']);
  assert.match(verified.stdout, /^\d+ files verified, 0 errors$/m);
  await releaser.objects.overwrite('versions/shell/1.0.0.json', Buffer.from('{'));
  const damaged = await releaser.run(['status', '--verify']);
  assert.equal(damaged.code, 1);
  assert.match(
    damaged.stdout,
    /^shell 1\.0\.0 is in the page and has no valid record\. Publish it again\.$/m,
  );
});

test('output: untrusted text cannot control the terminal or forge lines', async () => {
  await using releaser = await createReleaser();
  await releaser.publish(compatibleShell('1.0.0'));
  const why = 'limits\u001b[2J\u009b31m\u202e\n9  by us';
  const promotion = { kind: 'promote', versions: { shell: '1.0.0' } } as const;
  await deployRelease(releaser.store, promotion, () => sampleSiteConfig, {
    who: 'a\u001b]0;owned\u0007\nb',
    why,
  });
  const throwing = compatibleRemote('mf-pricing', '1.0.0', {
    'entry.js': "throw new Error('\\u001b[2J\\nmf-pricing 1.0.0 can be promoted')",
  });
  await releaser.publish(throwing);
  const outputs = {
    history: await releaser.run(['history']),
    json: await releaser.run(['history', '--json']),
    status: await releaser.run(['status']),
    check: await releaser.run(['check', 'mf-pricing', '1.0.0']),
    unknown: await releaser.run(['promote', 'mf-\u001b[2J', '1.0.0']),
  };
  for (const [what, { stdout, stderr }] of Object.entries(outputs)) {
    // eslint-disable-next-line no-control-regex -- these must not get through
    assert.doesNotMatch(stdout + stderr, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/, what);
  }
  assert.equal(outputs.history.stdout.trimEnd().split('\n').length, 2, 'a heading and one change');
  assert.match(outputs.history.stdout, /limits\\u001b\[2J\\u009b31m\\u202e\\u000a9 {2}by us$/m);
  assert.equal(JSON.parse(outputs.json.stdout)[0].why, why);
  assert.match(outputs.check.stdout, /\nmf-pricing 1\.0\.0 cannot be promoted: 1 violation\n$/);
  assert.doesNotMatch(outputs.check.stdout, /^mf-pricing 1\.0\.0 can be promoted$/m);
});
