import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compatibleRemote, compatibleShell } from '../testing/compatible-part.ts';
import { createReleaser } from '../testing/releaser.ts';
import { failsWith, runRelease, succeedsWith } from '../testing/run-release.ts';

test('a folder without a build is refused', async () => {
  await using releaser = await createReleaser(runRelease);
  const { directory } = releaser;
  assert.deepEqual(
    await releaser.run(['publish', 'shell', directory]),
    failsWith(`${directory} holds no build (no part.json). Build the part first.`),
  );
});

test('publish: a folder with another part is refused, and nothing is stored', async () => {
  await using releaser = await createReleaser();
  const folder = await releaser.build(compatibleRemote('mf-pricing', '1.0.0'));
  assert.deepEqual(
    await releaser.run(['publish', 'mf-header', folder]),
    failsWith('The folder holds mf-pricing, not mf-header. Name the part that it holds.'),
  );
  assert.deepEqual(
    await releaser.run(['publish', 'mf-pricing', folder]),
    succeedsWith('mf-pricing 1.0.0: stored'),
    'the refused publish stored nothing',
  );
});

test('publish: other content under a published version is refused', async () => {
  await using releaser = await createReleaser();
  await releaser.publish('shell', compatibleShell('1.0.0'));
  assert.deepEqual(
    await releaser.publish('shell', compatibleShell('1.0.0', { 'shell.js': 'changed' })),
    failsWith(
      'shell 1.0.0 is published already, with other content. Raise the version in shell/package.json and build again.',
    ),
  );
});
