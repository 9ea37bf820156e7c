import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fittingRemote, fittingShell } from '../testing/fitting-part.ts';
import { createReleaser } from '../testing/releaser.ts';
import { refuses, says } from '../testing/run-release.ts';

test('a folder without a build is refused', async () => {
  await using releaser = await createReleaser();
  const { directory } = releaser;
  assert.deepEqual(
    await releaser.run(['publish', 'shell', directory]),
    refuses(`${directory} holds no build (no part.json). Build the part first.`),
  );
});

test('a folder that holds another part is refused, and nothing of it is stored', async () => {
  await using releaser = await createReleaser();
  const folder = await releaser.build(fittingRemote('mf-pricing', '1.0.0'));
  assert.deepEqual(
    await releaser.run(['publish', 'mf-header', folder]),
    refuses('The folder holds mf-pricing, not mf-header. Name the part that it holds.'),
  );
  assert.deepEqual(
    await releaser.run(['publish', 'mf-pricing', folder]),
    says('mf-pricing 1.0.0: stored'),
    'the refused publish stored nothing',
  );
});

test('other content under a version that is published is refused', async () => {
  await using releaser = await createReleaser();
  await releaser.publish('shell', fittingShell('1.0.0'));
  assert.deepEqual(
    await releaser.publish('shell', fittingShell('1.0.0', { 'shell.js': 'changed' })),
    refuses(
      'shell 1.0.0 is published already, with other content. Raise the version in shell/package.json and build again.',
    ),
  );
});
