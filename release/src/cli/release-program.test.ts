import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { partNames } from '@countersign/contracts/remotes';
import { createReleaser } from '../testing/releaser.ts';
import { failsWith, failsWithUsageError, runRelease } from '../testing/run-release.ts';

for (const words of [[], ['help']]) {
  test(`"${words.join(' ')}" lists every command and every part`, async () => {
    await using releaser = await createReleaser(runRelease);
    const { code, stdout, stderr } = await releaser.run(words);
    assert.equal(code, 0);
    assert.equal(stderr, '');
    for (const command of [
      'publish <part> [folder]',
      'promote <part> <version>',
      'canary <part> <version>',
      'rollback <part> [version]',
      'status',
      'history',
      'verify',
      'prune',
      'types <part> [version]',
      'serve',
      'DATA_DIR',
      'STORE_URL',
    ]) {
      assert(stdout.includes(command), command);
    }
    assert(stdout.includes(`Parts: ${partNames.join(', ')}`));
  });
}

describe('usage errors change nothing and give exit code 2:', () => {
  const parts = partNames.join(', ');
  for (const [words, message] of [
    [['deploy'], 'Unknown command "deploy". List the commands with "help".'],
    [['publish'], `Missing argument "part". Known parts: ${parts}.`],
    [['promote'], `Missing argument "part". Known parts: ${parts}.`],
    [['promote', 'mf-unknown', '1.0.0'], `Unknown part "mf-unknown". Known parts: ${parts}.`],
    [['promote', 'shell'], 'Missing argument "version". Show the usage with "--help" after the command.'],
    [
      ['canary', 'mf-pricing', '1.0.0'],
      'Required option \'--percent <number>\' not specified. Show the usage with "--help" after the command.',
    ],
    [
      ['canary', 'mf-pricing', '1.0.0', '--percent', '101'],
      '--percent must be a number from 0 to 100, but is "101".',
    ],
    [['history', '--most', 'all'], '--most must be a number from 1, but is "all".'],
  ] as const) {
    test(words.join(' '), async () => {
      await using releaser = await createReleaser();
      assert.deepEqual(await releaser.run(words), failsWithUsageError(message));
    });
  }
});

test('configuration: all invalid settings are reported together', async () => {
  await using releaser = await createReleaser();
  assert.deepEqual(
    await releaser.run(['status'], { PORT: 'http', DEFAULT_THEME: 'dark' }),
    failsWith(
      'PORT must be a whole number from 0 to 65535, but is "http". DEFAULT_THEME must be "system" or "light".',
    ),
  );
});

test('unexpected errors: the stack trace is printed', async () => {
  await using releaser = await createReleaser(runRelease);
  await mkdir(join(releaser.storeDirectory, 'live.json'), { recursive: true });
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
