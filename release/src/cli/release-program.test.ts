import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { partNames } from '@countersign/contracts/remotes';
import { createReleaser } from './testing/releaser.ts';
import { misunderstands, refuses } from './testing/run-release.ts';

for (const words of [[], ['help']]) {
  test(`"${words.join(' ')}" explains every command and names every part`, async () => {
    await using releaser = await createReleaser();
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
      'serve',
      'DATA_DIR',
      'STORE_URL',
    ]) {
      assert(stdout.includes(command), command);
    }
    assert(stdout.includes(`Parts: ${partNames.join(', ')}`));
  });
}

describe('a call that is not understood does nothing, says what is missing, and ends with exit code 2:', () => {
  const parts = partNames.join(', ');
  for (const [words, sentence] of [
    [['deploy'], 'There is no command "deploy". "npm run release -- help" lists them.'],
    [['publish'], `Say which part: ${parts}.`],
    [['promote'], `Say which part: ${parts}.`],
    [['promote', 'mf-unknown', '1.0.0'], `"mf-unknown" is no part. Say which: ${parts}.`],
    [['promote', 'shell'], 'Say which version. "--help" after the command shows how it is called.'],
    [
      ['canary', 'mf-pricing', '1.0.0'],
      'Required option \'--percent <number>\' not specified. "--help" after the command shows how it is called.',
    ],
    [
      ['canary', 'mf-pricing', '1.0.0', '--percent', '101'],
      '--percent must be a number from 0 to 100, but is "101".',
    ],
    [['history', '--most', 'all'], '--most must be a number from 1, but is "all".'],
  ] as const) {
    test(words.join(' '), async () => {
      await using releaser = await createReleaser();
      assert.deepEqual(await releaser.run(words), misunderstands(sentence));
    });
  }
});

test('settings that are wrong are said in one go', async () => {
  await using releaser = await createReleaser();
  assert.deepEqual(
    await releaser.run(['status'], { PORT: 'http', DEFAULT_THEME: 'dark' }),
    refuses('PORT must be a port number from 0 to 65535. DEFAULT_THEME must be "system" or "light".'),
  );
});

test('what nobody foresaw keeps its stack, for whoever looks into it', async () => {
  await using releaser = await createReleaser();
  await mkdir(join(releaser.storeDirectory, 'live.json'), { recursive: true });
  const { code, stderr } = await releaser.run(['status']);
  assert.equal(code, 1);
  assert.match(stderr, /EISDIR[^]*\n +at .*directory-store\.ts/);
});
