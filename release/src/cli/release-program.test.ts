import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { partNames } from '@countersign/contracts/remotes';
import { compatibleShell } from '../testing/compatible-part.ts';
import { withoutBrowser } from '../testing/config.ts';
import { createReleaser, failsWith, runRelease } from '../testing/run-release.ts';
import { commands } from './commands.ts';

for (const words of [[], ['help']]) {
  test(`"${words.join(' ')}" lists every command and every part`, async () => {
    await using releaser = await createReleaser();
    const { code, stdout, stderr } = await releaser.run(words);
    assert.equal(code, 0);
    assert.equal(stderr, '');
    for (const name of Object.keys(commands)) assert.match(stdout, new RegExp(`^  ${name} `, 'm'));
    assert.match(stdout, /^ {2}canary <part> <version> \[others\.\.\.\] {2,}give a published version/m);
    assert.match(stdout, /^ {2}rollback <part> \[version\] {2,}end a canary/m);
    assert(stdout.includes(`Parts: ${partNames.join(', ')}`));
  });
}

test('usage errors: one sentence, and exit code 2', async () => {
  await using releaser = await createReleaser();
  const message = `error: unknown command 'deploy'. Show the usage with "--help".`;
  assert.deepEqual(await releaser.run(['deploy']), { ...failsWith(message), code: 2 });
});

test('unexpected errors: the stack trace is printed', async () => {
  await using releaser = await createReleaser();
  await mkdir(join(releaser.directory, 'live.json'), { recursive: true });
  const { code, stderr } = await releaser.run(['status']);
  assert.equal(code, 1);
  assert.match(stderr, /EISDIR[^]*\n +at .*directory-store\.ts/);
});

test('release: a store that cannot be written is one sentence without a stack trace', async () => {
  const file = join(import.meta.dirname, 'release-program.ts');
  assert.deepEqual(
    await runRelease(['status'], { DATA_DIR: file }),
    failsWith(`${file}/site/live.json.states is below a file, not a folder. Move the file away.`),
  );
});

test('board: each change of the page writes it; a failed write fails no change', async () => {
  await using releaser = await createReleaser();
  await releaser.publish(compatibleShell('1.0.0'), compatibleShell('1.1.0'));
  await releaser.run(['promote', 'shell', '1.0.0']);
  const board = join(releaser.directory, 'board', 'index.html');
  assert.match(await readFile(board, 'utf8'), /1\.0\.0/);

  await rm(join(releaser.directory, 'board'), { recursive: true });
  // A file in place of the folder: nothing can be written there.
  await writeFile(join(releaser.directory, 'board'), '');
  const { code, stdout, stderr } = await releaser.run(['promote', 'shell', '1.1.0', '--json']);
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout).version, '1.1.0');
  assert.match(stderr, /^The release board was not written: .* The next release writes it\.\n$/);

  await rm(join(releaser.directory, 'board'));
  await releaser.run(['rollback', 'shell', '1.0.0'], withoutBrowser);
  assert.match(await readFile(board, 'utf8'), /rollback/);
});
