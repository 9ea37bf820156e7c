import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { compatibleShell } from '../testing/compatible-part.ts';
import { createReleaser } from '../testing/releaser.ts';

test('each change of the page writes the board, and a lost one does not fail the change', async () => {
  await using releaser = await createReleaser();
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
  assert.match(await readFile(board, 'utf8'), /rollback/);
});
