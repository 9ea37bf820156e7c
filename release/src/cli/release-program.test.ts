import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { partNames } from '@countersign/contracts/remotes';
import { compatibleShell } from '../testing/compatible-part.ts';
import { withoutBrowser } from '../testing/config.ts';
import { createReleaser, failsWith, runRelease } from '../testing/run-release.ts';
import { commands } from './commands.ts';
import { parseCommand } from './parse-command.ts';

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

describe('usage errors change nothing and give exit code 2:', () => {
  const parts = partNames.join(', ');
  for (const [words, message] of [
    [['deploy'], `error: unknown command 'deploy'. Show the usage with "--help".`],
    [['promote'], `error: missing required argument 'part'. Show the usage with "--help".`],
    [['promote', 'mf-unknown', '1.0.0'], `Unknown part "mf-unknown". Known parts: ${parts}.`],
    [
      ['canary', 'mf-pricing', '1.0.0'],
      `error: required option '--percent <number>' not specified. Show the usage with "--help".`,
    ],
    [
      ['canary', 'mf-pricing', '1.0.0', '--percent', '101'],
      '--percent must be a number from 0 to 100, but is "101".',
    ],
    [
      ['promote', 'mf-pricing', '1.0.0', '--in-freeze'],
      '--in-freeze needs a reason. Give it with --why "…".',
    ],
    [['check', 'mf-leads', '1.0.0', 'mf-pricing'], 'mf-pricing has no version. Name one after it.'],
    [['check', 'mf-leads', '1.0.0', 'x', '1.0.0'], `Unknown part "x". Known parts: ${parts}.`],
    [
      ['check', 'mf-leads', '1.0.0', 'mf-leads', '1.1.0'],
      'mf-leads is named twice. Name one version of each part.',
    ],
    [['history', '--most', 'all'], '--most must be a whole number from 1 to 1000000, but is "all".'],
  ] as const) {
    test(words.join(' '), async () => {
      await using releaser = await createReleaser();
      assert.deepEqual(await releaser.run(words), { ...failsWith(message), code: 2 });
    });
  }
});

test('stages: other than rising percentages up to 100 are refused', () => {
  for (const stages of ['5,25', '25,5,100', '0,100', '5,5,100', '5,200', 'five,100', '']) {
    assert.throws(() => parseCommand(['watch', 'mf-pricing', `--stages=${stages}`]), {
      name: 'UsageError',
      message: `--stages must be rising percentages that end with 100, such as 5,25,100, but is "${stages}".`,
    });
  }
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
