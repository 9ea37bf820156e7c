import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { partNames } from '@countersign/contracts/remotes';
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
    assert.match(stdout, /^ {2}publish <part> \[folder\] {2,}store a built part/m);
    assert.match(stdout, /^ {2}remove <part> <version> {2,}remove a version/m);
    assert.match(stdout, /^ {2}rollback <part> \[version\] {2,}end a canary/m);
    assert(stdout.includes(`Parts: ${partNames.join(', ')}`));
  });
}

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
