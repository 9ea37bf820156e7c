import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { compatibleRemote, compatibleShell } from '../testing/compatible-part.ts';
import { createReleaser } from '../testing/releaser.ts';
import { failsWith, failsWithUsageError, succeedsWith } from '../testing/run-release.ts';

test('board: each change of the page writes it, and a lost one does not fail the change', async () => {
  await using releaser = await createReleaser();
  assert.deepEqual(
    await releaser.run(['board']),
    failsWith('Nothing is live yet. Publish and promote the shell first.'),
  );
  await releaser.publish('shell', compatibleShell('1.0.0'));
  await releaser.publish('shell', compatibleShell('1.1.0'));
  await releaser.run(['promote', 'shell', '1.0.0']);
  const board = join(releaser.storeDirectory, 'board', 'index.html');
  assert.match(await readFile(board, 'utf8'), /1\.0\.0/);

  await rm(join(releaser.storeDirectory, 'board'), { recursive: true });
  // A file in place of the folder: nothing can be written there.
  await writeFile(join(releaser.storeDirectory, 'board'), '');
  const { code, stdout, stderr } = await releaser.run(['promote', 'shell', '1.1.0', '--json']);
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout).version, '1.1.0');
  assert.match(stderr, /^The release board was not written: .* The next release writes it\.\n$/);

  await rm(join(releaser.storeDirectory, 'board'));
  await releaser.run(['rollback', 'shell', '1.0.0']);
  assert.match(await readFile(board, 'utf8'), /Rolled back/);
});

test('board: --json prints what it shows', async () => {
  await using releaser = await createReleaser();
  await releaser.publish('shell', compatibleShell('1.0.0'));
  await releaser.publish('mf-pricing', compatibleRemote('mf-pricing', '1.0.0'));
  await releaser.run(['promote', 'shell', '1.0.0']);
  await releaser.run(['promote', 'mf-pricing', '1.0.0', '--force', '--why', 'first']);
  const shown = JSON.parse((await releaser.run(['board', '--json'])).stdout);
  assert.deepEqual(
    shown.parts.map(({ part, versions }: { part: string; versions: { version: string; role: string }[] }) => [
      part,
      ...versions.map(({ version, role }) => `${version} ${role}`),
    ]),
    [['shell', '1.0.0 live'], ['mf-header'], ['mf-content'], ['mf-pricing', '1.0.0 live'], ['mf-leads']],
  );
  assert.equal(shown.history[0].why, 'first');
  assert.deepEqual(
    await releaser.run(['board']),
    succeedsWith(`${releaser.storeDirectory}/board/index.html shows release ${shown.releaseId}`),
  );
  assert.deepEqual(
    await releaser.run(['board', '--serve', '--json']),
    failsWithUsageError('--serve prints no JSON. Remove --serve or --json.'),
  );
});
